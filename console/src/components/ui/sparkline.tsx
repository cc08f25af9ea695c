// A small row of bars: what was done in grey, what failed in red at the foot; the words for it are the caller's.
import { cn } from '@/lib/utils'

const STEP = 3.2
const WIDTH = 2.2

export type Bars = Array<{ done: number; failed: number }>

/** Puts neighbours together until at most `most` bars are left; the newest bar is always whole. */
export function gather(done: number[], failed: number[], most: number): Bars {
  const per = Math.max(1, Math.ceil(done.length / most))
  const bars: Bars = []
  for (let end = done.length; end > 0; end -= per) {
    const from = Math.max(0, end - per)
    const sum = (of: number[]) => of.slice(from, end).reduce((total, one) => total + one, 0)
    bars.unshift({ done: sum(done), failed: sum(failed) })
  }
  return bars
}

/** Heights in pixels; what is there is at least 2 px high, so that one failure among thousands is seen. */
export function heights(bars: Bars, height: number): Array<{ done: number; failed: number }> {
  const top = Math.max(1, ...bars.map((bar) => bar.done + bar.failed))
  const tall = (value: number) => (value === 0 ? 0 : Math.max(2, (value / top) * height))
  return bars.map((bar) => {
    const failed = tall(bar.failed)
    return { failed, done: Math.min(tall(bar.done), height - failed) }
  })
}

export function Sparkline({ label, done, failed, most = 30, height = 20, className }: { label: string; done: number[]; failed: number[]; most?: number; height?: number; className?: string }) {
  const bars = heights(gather(done, failed, most), height)
  const width = bars.length * STEP
  return (
    <svg data-slot="sparkline" role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`} className={cn('block', className)}>
      <title>{label}</title>
      {bars.map((bar, index) => {
        const x = index * STEP
        if (bar.done + bar.failed === 0) return <rect key={index} x={x} y={height - 1} width={WIDTH} height={1} className="fill-border-strong" />
        return (
          <g key={index}>
            {bar.done > 0 ? <rect x={x} y={height - bar.failed - bar.done} width={WIDTH} height={bar.done} className="fill-queued-solid" /> : null}
            {bar.failed > 0 ? <rect x={x} y={height - bar.failed} width={WIDTH} height={bar.failed} className="fill-err-solid" /> : null}
          </g>
        )
      })}
    </svg>
  )
}
