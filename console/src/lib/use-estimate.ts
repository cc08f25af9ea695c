// Pace and end of something that is followed by polling: each answer is a sample.
import { useState } from 'react'
import { addSample, type Estimate, estimate, type Sample } from './rate'

export function useEstimate(done: number, total: number, seenAt: number, now: number): Estimate {
  const [samples, setSamples] = useState<Sample[]>([])
  const next = addSample(samples, { at: seenAt, done })
  if (next !== samples) setSamples(next)
  return estimate(samples, total, now)
}
