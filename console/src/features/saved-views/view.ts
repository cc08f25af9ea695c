// A view is the part of an address after the question mark, without the place in the list; pure.
import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'

/** The pages that have views, and where they are. */
export const VIEW_PAGES = { jobs: '/jobs', audit: '/audit', errors: '/errors' } as const
export type ViewPage = keyof typeof VIEW_PAGES

export function isViewPage(page: string): page is ViewPage {
  return page in VIEW_PAGES
}

/** Where one stands in a list is no part of a view. */
const PLACE: ReadonlySet<string> = new Set(['after', 'entry', 'page'])

/** The same filters give the same text, in whatever order they were set. */
export function queryOf(search: Record<string, unknown>): string {
  const kept = Object.entries(search).filter(([key, value]) => value !== undefined && !PLACE.has(key)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return defaultStringifySearch(Object.fromEntries(kept)).replace(/^\?/, '')
}

export function searchOf(query: string): Record<string, unknown> {
  return defaultParseSearch(`?${query.replace(/^\?/, '')}`)
}
