// XML on lines of its own, so that a person can read it; anything else is left as it is; pure.
export function indented(text: string): string {
  if (!text.trimStart().startsWith('<')) return text
  let depth = 0
  return text.replace(/>\s*</g, '>\n<').split('\n').map((line) => {
    if (line.startsWith('</')) depth = Math.max(0, depth - 1)
    const said = '  '.repeat(depth) + line
    const opens = /^<[^/?!]/.test(line) && !line.endsWith('/>') && !/<\/[^>]+>$/.test(line)
    if (opens) depth++
    return said
  }).join('\n')
}
