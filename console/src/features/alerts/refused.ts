// What the server did not take of a rule: told at its field while that is as it was sent, the rest under the form; pure.
import { ApiError } from '@/api/errors'

const WEBHOOK = 'webhookUrl'

/** `same`: the address is still the one that was sent. */
export function refusedOf(error: unknown, same: boolean): { webhook: string | null; rest: unknown } {
  if (!(error instanceof ApiError) || error.violations.length === 0) return { webhook: null, rest: error }
  const said = (own: boolean) => error.violations.filter(({ propertyPath }) => (propertyPath === WEBHOOK) === own)
  const [at, others] = [said(true), said(false)]
  return {
    webhook: same && at.length > 0 ? at.map(({ message }) => message).join(' ') : null,
    rest: others.length > 0 ? new ApiError(error.status, others.map(({ message }) => message), others, error.requestId, 0) : null,
  }
}
