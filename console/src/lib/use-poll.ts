// The one polling hook: asks at growing gaps while something moves, never in a hidden tab, once on return.
import { useEffect, useRef } from 'react'
import { ApiError } from '@/api/errors'
import { firstStep, gapMs, nextStep, type PollOutcome } from './poll'

/** 'auto' climbs the ladder, 'off' asks nothing at all, a number is a fixed gap in seconds. */
export type PollEvery = 'auto' | 'off' | number

/** A refusal that asking again will not change. */
export function refused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429
}

export function usePoll({ active, every = 'auto', ask, resetKey = 0 }: {
  active: boolean
  every?: PollEvery
  ask: () => Promise<PollOutcome>
  /** Changes with each act of the person, which starts the ladder over. */
  resetKey?: number | string
}): void {
  const latest = useRef(ask)
  useEffect(() => {
    latest.current = ask
  })
  useEffect(() => {
    if (!active || every === 'off') return
    let step = firstStep
    let retryAfterMs = 0
    let timer = 0
    let over = false
    let asking = false
    const schedule = () => {
      timer = window.setTimeout(() => void tick(), every === 'auto' ? gapMs(step, retryAfterMs) : Math.max(every * 1000, retryAfterMs))
    }
    const tick = async () => {
      if (document.hidden || asking) return
      let outcome: PollOutcome
      let more = true
      asking = true
      try {
        outcome = await latest.current()
        retryAfterMs = 0
      } catch (error) {
        outcome = 'error'
        retryAfterMs = error instanceof ApiError ? error.retryAfterMs : 0
        more = !refused(error)
      }
      asking = false
      if (over || !more) return
      step = nextStep(step, outcome)
      schedule()
    }
    const returned = () => {
      if (document.hidden) return
      clearTimeout(timer)
      step = firstStep
      void tick()
    }
    document.addEventListener('visibilitychange', returned)
    schedule()
    return () => {
      over = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', returned)
    }
  }, [active, every, resetKey])
}
