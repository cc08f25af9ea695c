// Progress in parts and the timeline across: what is done, what went wrong, what waits, and when each step came.
import { num } from '@/lib/format'
import { cn } from '@/lib/utils'

export type Part = { tone: 'ok' | 'warn' | 'err' | 'run' | 'queued' | 'cancelled'; count: number }

const fill: Record<Part['tone'], string> = {
  ok: 'bg-ok-solid', warn: 'part-warn', err: 'bg-err-solid', run: 'part-run',
  queued: 'bg-queued-bg shadow-[inset_0_0_0_1px_var(--border)]', cancelled: 'bg-queued-solid',
}

export function Parts({ label, parts, done, total, thin = false }: { label: string; parts: Part[]; done: number; total: number; thin?: boolean }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={done}
      aria-valuetext={`${num(done)} / ${num(total)}`}
      data-slot="parts"
      className={cn('flex gap-px overflow-hidden rounded-[3px] bg-card', thin ? 'h-1.5' : 'h-3')}
    >
      {parts.filter((part) => part.count > 0).map((part) => (
        <span key={part.tone} className={cn('block min-w-[3px]', fill[part.tone])} style={{ flex: part.count }} />
      ))}
      {total === 0 ? <span className={cn('block flex-1', fill.queued)} /> : null}
    </div>
  )
}

/** One share of a whole, for uploads and imports. */
export function PercentBar({ label, percent }: { label: string; percent: number }) {
  return (
    <div role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent} className="flex h-3 gap-px overflow-hidden rounded-[3px] bg-queued-bg shadow-[inset_0_0_0_1px_var(--border)]">
      <span className="part-run block transition-[width] duration-150" style={{ width: `${percent}%` }} />
    </div>
  )
}

export type Moment = { key: string; word: string; at: string; exact?: string; dot: 'done' | 'run' | 'ok' | 'err' | 'none'; dashed?: boolean }

export function Timeline({ label, moments }: { label: string; moments: Moment[] }) {
  return (
    <ol aria-label={label} data-slot="timeline" className="flex text-xs">
      {moments.map((moment, index) => (
        <li key={moment.key} className={cn('relative', index < moments.length - 1 && 'flex-[1_0_auto] pr-4')}>
          {index < moments.length - 1 ? <span aria-hidden="true" className={cn('absolute top-1 -right-1 left-1 h-px', moment.dashed ? 'dashes' : 'bg-input')} /> : null}
          <span
            aria-hidden="true"
            className={cn('relative mb-1.5 block size-[9px] rounded-full border-2 border-card bg-foreground shadow-[0_0_0_1px_var(--foreground)]', {
              'bg-run-solid shadow-[0_0_0_1px_var(--run-solid)]': moment.dot === 'run',
              'bg-ok-solid shadow-[0_0_0_1px_var(--ok-solid)]': moment.dot === 'ok',
              'bg-err-solid shadow-[0_0_0_1px_var(--err-solid)]': moment.dot === 'err',
              'bg-card shadow-[0_0_0_1px_var(--input)]': moment.dot === 'none',
            })}
          />
          <span className="font-medium">{moment.word}</span> <span className="text-muted-foreground" title={moment.exact}>{moment.at}</span>
        </li>
      ))}
    </ol>
  )
}
