// A week of hours as small bars under the line of the threshold.
import { cn } from '@/lib/utils'

const HEIGHT = 56
const STEP = 4
const WIDTH = 3

export type Hour = { at: string; peak: number | null }
export type Bar = { height: number; over: boolean }

/** Bars to one scale that the threshold is in, too; what is there is at least 1.5 px high. Null: nothing was measured. */
export function barsOf(hours: readonly Hour[], threshold: number, height: number): { bars: Array<Bar | null>; line: number } {
  const top = Math.max(1, threshold * 1.25, ...hours.map((hour) => hour.peak ?? 0))
  const tall = (value: number) => (value <= 0 ? 0 : Math.max(1.5, (value / top) * height))
  return { bars: hours.map(({ peak }) => (peak === null ? null : { height: tall(peak), over: peak > threshold })), line: height - (threshold / top) * height }
}

/** `days`: what stands under the first hour of a day. */
export function Week({ label, hours, threshold, days }: { label: string; hours: readonly Hour[]; threshold: number; days: Array<{ index: number; word: string }> }) {
  const { bars, line } = barsOf(hours, threshold, HEIGHT)
  const width = hours.length * STEP
  return (
    <div className="grid gap-1">
      <svg data-slot="week" role="img" aria-label={label} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" className="block h-14 w-full">
        <title>{label}</title>
        {days.map(({ index }) => <line key={index} x1={index * STEP} x2={index * STEP} y1={0} y2={HEIGHT} className="stroke-border" strokeWidth={1} vectorEffect="non-scaling-stroke" />)}
        {bars.map((bar, index) => (bar === null ? null : (
          <rect key={index} x={index * STEP} y={HEIGHT - Math.max(1, bar.height)} width={WIDTH} height={Math.max(1, bar.height)} className={cn(bar.height === 0 ? 'fill-border-strong' : bar.over ? 'fill-err-solid' : 'fill-queued-solid')} />
        )))}
        {threshold > 0 ? <line data-slot="threshold" x1={0} x2={width} y1={line} y2={line} className="stroke-foreground" strokeWidth={1} strokeDasharray="4 3" vectorEffect="non-scaling-stroke" /> : null}
      </svg>
      <div aria-hidden="true" className="relative h-4 text-2xs text-muted-foreground">
        {days.map(({ index, word }) => <span key={index} className="absolute top-0" style={{ left: `${(index / Math.max(1, hours.length)) * 100}%` }}>{word}</span>)}
      </div>
    </div>
  )
}
