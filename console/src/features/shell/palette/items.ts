// What the palette finds by typed words; pure.

export type Item = {
  key: string
  word: string
  /** More words that find it, in both languages. */
  find: string
}

/** In small letters, without dots and tildes: "jarjekord" finds "järjekord". */
export function fold(text: string): string {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}

/** Whether each typed word begins a word of the item. */
export function finds(item: Item, typed: string): boolean {
  const words = fold(`${item.word} ${item.find}`).split(/[\s,()-]+/)
  return fold(typed).split(/\s+/).filter(Boolean).every((part) => words.some((word) => word.startsWith(part)))
}

/** The items that match; those whose name begins with what is typed come first. */
export function matching<T extends Item>(items: readonly T[], typed: string): T[] {
  const start = fold(typed.trim())
  const found = items.filter((item) => finds(item, typed))
  return start ? found.toSorted((a, b) => Number(fold(b.word).startsWith(start)) - Number(fold(a.word).startsWith(start))) : found
}

/** What is typed, if it can be the beginning of a case number: "101", "101/20", "101/2025/33". */
export function caseNumberStart(typed: string): string | null {
  const clean = typed.trim()
  return /^\d{3}(\/(\d{0,4}|\d{4}\/\d{0,9}))?$/.test(clean) ? clean : null
}

/** What is typed, if it can be the number of a job: digits, perhaps grouped or after "nr" or "#". */
export function jobNumber(typed: string): string | null {
  const found = /^(?:nr\.?|#)?\s*([1-9][\d\s\u00a0]{0,18})$/i.exec(typed.trim())
  return found?.[1]?.replaceAll(/\D/g, '') ?? null
}
