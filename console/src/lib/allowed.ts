// What the server says the person may do with an object; the console only shows it.
import type { AllowedAction } from '@/api/types'
import { text } from '@/lib/texts'

const notNow = text('seda ei saa praegu teha', 'this can’t be done now')

/** The reason why an act is not allowed now, or null when it is. An act that is not listed is left to the server to refuse. */
export function refusal(of: { allowedActions?: AllowedAction[] }, name: string): string | null {
  const found = of.allowedActions?.find((one) => one.name === name)
  return !found || found.allowed ? null : (found.reason || notNow())
}
