// Failed tasks by the first line of what they said, numbers left out; pure.

export type Group = { text: string; count: number; /** A piece that all of the group have in common, for the search. */ search: string }

const DIGITS = /\d[\d\s\u00a0.,/]*\d|\d/g

function pattern(line: string): string {
  return line.replace(DIGITS, '\u2026')
}

/** The longest piece between numbers: what the search for the group looks for. */
function common(line: string): string {
  const pieces = line.split(DIGITS).map((piece) => piece.trim())
  return pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '').slice(0, 200)
}

/** Most first; lines that differ in their numbers alone are one group, said as its first one where it has only one. */
export function groupErrors(outputs: readonly string[], empty: string): Group[] {
  const groups = new Map<string, { texts: Set<string>; count: number }>()
  for (const output of outputs) {
    const line = output.trim().split('\n')[0]?.trim() ?? ''
    const key = pattern(line)
    const group = groups.get(key) ?? { texts: new Set<string>(), count: 0 }
    group.texts.add(line)
    group.count++
    groups.set(key, group)
  }
  return [...groups].map(([key, { texts, count }]) => {
    const first = [...texts][0] ?? key
    // Nothing can be searched for where nothing was said.
    if (texts.size === 1) return { text: first || empty, count, search: first.slice(0, 200) }
    return { text: key, count, search: common(first) }
  }).toSorted((a, b) => b.count - a.count || a.text.localeCompare(b.text))
}
