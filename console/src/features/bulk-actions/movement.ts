// How an action moved in the last minutes, from the counts seen, as bars of equal time; pure.

export type Seen = { at: number; done: number; failed: number }

const KEPT_MS = 150_000

/** Adds what was just seen; counts that went back (a retry) start over. */
export function addSeen(before: Seen[], next: Seen): Seen[] {
  const last = before.at(-1)
  if (last && next.at <= last.at) return before
  if (last && (next.done < last.done || next.failed < last.failed)) return [next]
  return [...before.filter((one) => next.at - one.at <= KEPT_MS), next]
}

/** What was seen at a moment, between two answers in proportion. */
function at(seen: Seen[], moment: number): { done: number; failed: number } | null {
  const first = seen[0]
  if (!first || moment < first.at) return null
  let before = first
  for (const one of seen) {
    if (one.at >= moment) {
      const share = one.at === before.at ? 1 : (moment - before.at) / (one.at - before.at)
      return { done: before.done + (one.done - before.done) * share, failed: before.failed + (one.failed - before.failed) * share }
    }
    before = one
  }
  return before
}

/** Bars up to the newest answer, oldest first; those before the first answer are left out. `done` are the ended that did not fail. */
export function movement(seen: Seen[], stepMs: number, most: number): { done: number[]; failed: number[] } {
  const end = seen.at(-1)?.at ?? 0
  const bars: { done: number[]; failed: number[] } = { done: [], failed: [] }
  for (let index = most; index > 0; index--) {
    const from = at(seen, end - index * stepMs)
    const to = at(seen, end - (index - 1) * stepMs)
    if (!from || !to) continue
    const failed = to.failed - from.failed
    bars.failed.push(failed)
    bars.done.push(Math.max(0, to.done - from.done - failed))
  }
  return bars
}
