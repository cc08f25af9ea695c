// Typed text that is committed a moment after the last key, and at once on Enter or leaving the field.
import { useEffect, useRef, useState } from 'react'

const trimmed = (text: string): string | null => text.trim()

/** `read` says how a text stands once it is committed ("1" as "1,00"), or null where it is none. */
export function useTyped(committed: string, commit: (value: string) => void, read = trimmed, delayMs = 500) {
  const [typed, setTyped] = useState(committed)
  const [base, setBase] = useState(committed)
  /** Committed by this field and not yet come back. */
  const [sent, setSent] = useState<string[]>([])
  const [due, setDue] = useState<{ text: string } | null>(null)
  const [bad, setBad] = useState(false)

  function show(text: string) {
    setTyped(text)
    setDue(null)
    setBad(false)
  }
  if (base !== committed) {
    setBase(committed)
    const at = sent.indexOf(committed)
    setSent(at < 0 ? [] : sent.slice(at + 1))
    // Changed elsewhere (a chip removed, the way back) it wins over what stands in the field; what comes back of one's own leaves the typing alone.
    if (at < 0) show(committed)
  }
  function send(text: string): string | null {
    setDue(null)
    const next = read(text)
    setBad(next === null)
    if (next === null || next === (sent.at(-1) ?? committed)) return next
    setSent([...sent, next])
    commit(text.trim())
    return next
  }
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })
  useEffect(() => {
    if (!due) return
    const timer = setTimeout(() => latest.current(due.text), delayMs)
    return () => clearTimeout(timer)
  }, [due, delayMs])

  return {
    bad,
    /** Puts a value into the field that was chosen by other means. */
    show,
    field: {
      value: typed,
      onChange: (event: { target: { value: string } }) => {
        setTyped(event.target.value)
        setDue({ text: event.target.value })
      },
      onBlur: () => {
        const next = send(typed)
        if (next !== null) setTyped(next)
      },
      onKeyDown: (event: { key: string }) => {
        if (event.key === 'Enter') send(typed)
      },
    },
  }
}
