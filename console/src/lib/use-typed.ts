// Typed text that is committed a moment after the last key, and at once on Enter or leaving the field.
import { useEffect, useRef, useState } from 'react'

export function useTyped(committed: string, commit: (value: string) => void, delayMs = 500) {
  const [typed, setTyped] = useState(committed)
  const [base, setBase] = useState(committed)
  const timer = useRef(0)
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  // The value was changed elsewhere (a chip removed, the way back): it wins over what stands in the field.
  if (base !== committed) {
    setBase(committed)
    if (typed.trim() !== committed) setTyped(committed)
  }
  const send = (value: string) => {
    clearTimeout(timer.current)
    if (value.trim() !== committed) latest.current(value.trim())
  }
  return {
    value: typed,
    onChange: (event: { target: { value: string } }) => {
      const value = event.target.value
      setTyped(value)
      clearTimeout(timer.current)
      timer.current = window.setTimeout(() => send(value), delayMs)
    },
    onBlur: () => send(typed),
    onKeyDown: (event: { key: string }) => {
      if (event.key === 'Enter') send(typed)
    },
  }
}
