// The typed catalogue's one function: a text is written once in Estonian and once in English; leaving one out is a type error.
import { useSyncExternalStore } from 'react'
import { remember } from './storage'

export type Language = 'et' | 'en'

/** As start.js has chosen it; tests of pure parts have no document. */
let current: Language = typeof document !== 'undefined' && document.documentElement.lang === 'en' ? 'en' : 'et'
const listeners = new Set<() => void>()

export function language(): Language {
  return current
}

export function setLanguage(next: Language): void {
  if (next === current) return
  current = next
  remember('language', next)
  document.documentElement.lang = next
  for (const listener of listeners) listener()
}

/** Renders again when the language changes. */
export function useLanguage(): Language {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, language)
}

export function text(et: string, en: string): () => string
export function text<A extends unknown[]>(et: (...args: A) => string, en: (...args: NoInfer<A>) => string): (...args: A) => string
export function text<A extends unknown[]>(et: string | ((...args: A) => string), en: string | ((...args: A) => string)) {
  return (...args: A): string => {
    const chosen = current === 'en' ? en : et
    return typeof chosen === 'string' ? chosen : chosen(...args)
  }
}

const rules: Partial<Record<Language, Intl.PluralRules>> = {}

/** The form of a word that goes with a number, in the language it is written in. */
export function plural(lang: Language, count: number, one: string, other: string): string {
  rules[lang] ??= new Intl.PluralRules(lang)
  return rules[lang].select(count) === 'one' ? one : other
}
