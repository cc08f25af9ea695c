// The due times ahead with the changes of the clock between them; pure.
import { clockChange } from '@/lib/zone'

export type Upcoming = { kind: 'run'; at: string } | { kind: 'change'; at: number; turn: 1 | -1 }

export function upcomingOf(next: string[], now: number): Upcoming[] {
  return next.flatMap((at, index): Upcoming[] => {
    const before = next[index - 1]
    const change = clockChange(before === undefined ? now : Date.parse(before), Date.parse(at))
    return [...(change ? [{ kind: 'change' as const, ...change }] : []), { kind: 'run', at }]
  })
}
