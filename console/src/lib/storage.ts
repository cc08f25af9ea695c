// What a browser remembers between visits; storage that is switched off counts as empty.
const PREFIX = 'toimik.'

export type StoredKey = 'theme' | 'language' | 'nav' | 'filters' | 'refresh'

export function remember(key: StoredKey, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value)
  } catch {
    // Nothing depends on it.
  }
}

export function recall(key: StoredKey): string | null {
  try {
    return localStorage.getItem(PREFIX + key)
  } catch {
    return null
  }
}
