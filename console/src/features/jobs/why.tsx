// Why a job ended as it did, or why it stands.
import type { Stall, WholeJob } from '@/api/operations'
import { num, whenShort } from '@/lib/format'
import { j } from './job-texts'
import { queueWord } from './status'

function stallWords(stall: Stall): string {
  const what = {
    paused: () => j.stall.paused(stall.queue ? queueWord[stall.queue]() : ''),
    action_paused: j.stall.action_paused,
    register_down: () => j.stall.register_down(stall.register ?? ''),
    no_workers: j.stall.no_workers,
    retry: j.stall.retry,
  }[stall.code]()
  const rest = [stall.reason && `„${stall.reason}“`, stall.by && j.stall.by(stall.by), stall.since && j.stall.since(whenShort(stall.since)), stall.until && j.stall.until(whenShort(stall.until))]
  return [what, ...rest.filter(Boolean)].join(' · ')
}

export function Why({ job }: { job: WholeJob }) {
  const said = job.output?.trim()
  const limit = job.failureLimit !== null && job.failures >= job.failureLimit ? `${j.limitReached()} (${num(job.failures)})` : null
  const crashes = job.crashes > 0 ? ` ${j.crashes(job.crashes)}` : ''
  let lead: string | null = null
  let text = ''
  if (job.status === 1) {
    lead = job.stall ? j.whyStands() : null
    text = job.stall ? stallWords(job.stall) : ''
  } else if (said || limit) {
    lead = job.status === 2 ? j.result() : j.whyEnded()
    text = [said, job.status === 3 ? limit : null].filter(Boolean).join(' · ')
  }
  if (lead === null && crashes === '') return null
  return (
    <p role={job.stall ? 'status' : undefined} className="border-b px-4 py-2.5 whitespace-pre-line">
      {lead ? <b className="font-semibold">{lead}</b> : null} {text}{crashes}
    </p>
  )
}
