// The charts of a queue: ends, the waiting, and how long jobs wait and run; loaded when the page has its figures.
import type { ReactNode } from 'react'
import { Area, AreaChart, Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { Series } from '@/api/operations'
import { dateOf, dateTime, hourMinute, num } from '@/lib/format'
import { lastingWord } from '@/lib/span'
import { t } from './chart-texts'

type Point = Series['points'][number]
type Line = { key: keyof Point; word: string; color: string; dashed?: boolean }

const HEIGHT = 168
const axis = { tick: { fill: 'var(--muted-foreground)', fontSize: 11 }, tickLine: false, axisLine: { stroke: 'var(--border-strong)' } }
const margin = { top: 6, right: 8, bottom: 0, left: 0 }

function Tip({ active, label, payload, lines, say }: { active?: boolean; label?: string | number; payload?: ReadonlyArray<{ payload?: Point }>; lines: Line[]; say: (value: number) => string }) {
  const point = payload?.[0]?.payload
  if (!active || !point) return null
  return (
    <div className="num rounded-md bg-popover px-2.5 py-1.5 text-xs shadow-pop">
      <p className="font-medium">{dateTime(String(label))}</p>
      {lines.map((line) => {
        const value = point[line.key]
        return <p key={line.key} className="flex justify-between gap-3"><span className="text-muted-foreground">{line.word}</span><span>{typeof value === 'number' ? say(value) : '–'}</span></p>
      })}
    </div>
  )
}

function Panel({ title, lines, children }: { title: string; lines: Line[]; children: ReactNode }) {
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
        <h3>{title}</h3>
        {lines.map((line) => (
          <span key={line.key} className="flex items-center gap-1.5 text-xs text-muted-foreground">
            <svg width="14" height="8" aria-hidden="true"><line x1="0" y1="4" x2="14" y2="4" style={{ stroke: line.color }} strokeWidth={3} {...(line.dashed ? { strokeDasharray: '4 3' } : {})} /></svg>
            {line.word}
          </span>
        ))}
      </figcaption>
      <ResponsiveContainer width="100%" height={HEIGHT}>{children}</ResponsiveContainer>
    </figure>
  )
}

export default function Chart({ series }: { series: Series }) {
  const { points } = series
  const long = series.stepSeconds * points.length > 86_400 * 1.5
  const clock = (at: string) => (long ? dateOf(at).slice(0, 5) : hourMinute(at))
  const x = <XAxis dataKey="at" tickFormatter={clock} minTickGap={48} {...axis} />
  const y = (say: (value: number) => string) => <YAxis width={58} allowDecimals={false} tickFormatter={say} tickCount={4} {...axis} axisLine={false} />
  const grid = <CartesianGrid vertical={false} stroke="var(--border)" />
  const tip = (lines: Line[], say: (value: number) => string) => <Tooltip isAnimationActive={false} cursor={{ fill: 'var(--accent)', stroke: 'var(--border-strong)' }} content={(props) => <Tip {...(props as object)} lines={lines} say={say} />} />

  const ends: Line[] = [
    { key: 'ok', word: t.ok(), color: 'var(--input)' },
    { key: 'warning', word: t.warning(), color: 'var(--warn-solid)' },
    { key: 'failed', word: t.failed(), color: 'var(--err-solid)' },
  ]
  const waiting: Line[] = [{ key: 'waiting', word: t.waiting(), color: 'var(--muted-foreground)' }]
  const waits: Line[] = [{ key: 'waitP50Ms', word: t.p50(), color: 'var(--foreground)' }, { key: 'waitP95Ms', word: t.p95(), color: 'var(--muted-foreground)', dashed: true }]
  const runs: Line[] = [{ key: 'runP50Ms', word: t.p50(), color: 'var(--foreground)' }, { key: 'runP95Ms', word: t.p95(), color: 'var(--muted-foreground)', dashed: true }]
  const spans = (title: string, lines: Line[]) => (
    <Panel title={title} lines={lines}>
      <LineChart data={points} margin={margin} syncId="queue" title={title}>
        {grid}{x}{y(lastingWord)}{tip(lines, lastingWord)}
        {lines.map((line) => (
          <Line key={line.key} dataKey={line.key} name={line.word} stroke={line.color} strokeWidth={1.5} strokeDasharray={line.dashed ? '4 3' : undefined} dot={{ r: 1, strokeWidth: 0, fill: line.color }} activeDot={{ r: 3, strokeWidth: 0, fill: line.color }} isAnimationActive={false} />
        ))}
      </LineChart>
    </Panel>
  )
  return (
    <div className="grid grid-cols-2 gap-x-6 gap-y-5 max-lg:grid-cols-[minmax(0,1fr)]">
      <Panel title={t.ends()} lines={ends}>
        <BarChart data={points} margin={margin} syncId="queue" title={t.ends()} barCategoryGap={points.length > 120 ? 0 : 1}>
          {grid}{x}{y(num)}{tip(ends, num)}
          {ends.toReversed().map((line) => <Bar key={line.key} dataKey={line.key} name={line.word} stackId="ends" fill={line.color} isAnimationActive={false} />)}
        </BarChart>
      </Panel>
      <Panel title={t.waiting()} lines={[]}>
        <AreaChart data={points} margin={margin} syncId="queue" title={t.waiting()}>
          {grid}{x}{y(num)}{tip(waiting, num)}
          <Area dataKey="waiting" name={t.waiting()} stroke="var(--muted-foreground)" fill="var(--queued-bg)" fillOpacity={1} strokeWidth={1.5} dot={false} isAnimationActive={false} />
        </AreaChart>
      </Panel>
      {spans(t.waits(), waits)}
      {spans(t.runs(), runs)}
    </div>
  )
}
