// "3 minutit tagasi", kept true by itself; the exact time on hover.
import { useEffect, useState } from 'react'
import { agoRefreshMs, dateTime, timeAgo } from '@/lib/format'

export function Ago({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), agoRefreshMs(at))
    return () => clearTimeout(timer)
  }, [at, now])
  return <time dateTime={at} title={dateTime(at)}>{timeAgo(at, Math.max(now, Date.parse(at)))}</time>
}
