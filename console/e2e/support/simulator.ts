// Steers the register simulator and reads what it accepted.
const base = process.env.SIMULATOR_URL ?? ''

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const answer = await fetch(`${base}${path}`, { method, ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

export async function misbehave(...rules: unknown[]): Promise<void> {
  await send('POST', '/control/script', rules)
}

export async function behave(): Promise<void> {
  await send('DELETE', '/control/script')
}

/** What the register accepted about a case. */
export async function effects(number: string): Promise<Array<{ number: string; trace?: string }>> {
  const answer = await send('GET', `/control/effects?number=${encodeURIComponent(number)}`)
  return ((await answer.json()) as { effects: Array<{ number: string; trace?: string }> }).effects
}
