// The machines with their processes, in short.
import { Link } from '@tanstack/react-router'
import type { Overview } from '@/api/operations'
import { Part } from '@/components/ui/part'
import { queueWord } from '@/features/jobs/status'
import { spanWord } from '@/lib/span'
import { cn } from '@/lib/utils'
import { Life } from './cells'
import { byHost, type Host } from './hosts'
import { t } from './texts'

export function Takes({ of }: { of: Host['takes'] }) {
  return of.map((one, index) => (
    <span key={one.queue}>
      {index > 0 ? ' · ' : null}
      <span className={cn('whitespace-nowrap', one.state === 'lost' && 'font-medium text-err', one.state === 'doubtful' && 'font-medium text-warn')}>{queueWord[one.queue]().toLowerCase()} {one.jobs}</span>
    </span>
  ))
}

export function thresholds(of: Pick<Overview['workers'], 'doubtfulAfterSeconds' | 'lostAfterSeconds'>): [string, string] {
  return [spanWord(of.doubtfulAfterSeconds * 1000), spanWord(of.lostAfterSeconds * 1000)]
}

export function HostList({ of, mayOpen }: { of: Overview['workers']; mayOpen: boolean }) {
  const hosts = byHost(of.member).filter((host) => host.counts.alive + host.counts.doubtful + host.counts.lost > 0)
  return (
    <Part title={t.workers.title()} hint={mayOpen ? <Link to="/workers" className="link inline-flex min-h-6 items-center">{t.workers.all()}</Link> : null} aside={t.workers.thresholds(...thresholds(of))}>
      {hosts.length > 0 ? (
        <ul>
          {hosts.map((host) => (
            <li key={host.name} className="grid grid-cols-[minmax(0,96px)_150px_minmax(0,1fr)] items-center gap-2.5 border-t px-3 py-[7px] first:border-t-0 max-sm:grid-cols-[minmax(0,1fr)_auto]">
              <span className="truncate font-mono text-xs" title={host.name}>{host.name}</span>
              <Life of={host.counts} />
              <span className="text-xs text-muted-foreground max-sm:col-span-2">
                <Takes of={host.takes} />
                {host.lost.length > 0 ? <>{host.takes.length > 0 ? ' · ' : null}<span className="font-medium text-err">{t.workers.lostTook()}</span> <Takes of={host.lost} /></> : null}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <div className="grid gap-1.5 px-3 py-2.5">
          <Life of={of} />
          {mayOpen ? null : <p className="text-muted-foreground">{t.workers.hidden()}</p>}
        </div>
      )}
    </Part>
  )
}
