// One trace for all that one act of the person sets off: requests, the jobs they leave and those jobs' calls.
let trace = ''

// What is sent before the next click or key belongs to this one.
for (const act of ['pointerdown', 'keydown']) globalThis.addEventListener?.(act, () => void (trace = ''), true)

/** The header that names the trace, as W3C has it; the server makes its id the request's. */
export function traceparent(): string {
  trace ||= Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `00-${trace}-${trace.slice(16)}-01`
}
