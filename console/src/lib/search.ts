// Pieces for search schemas: a bad value in an address is dropped, never an error page.
import * as z from 'zod/mini'

/** An optional field whose bad value counts as absent. */
export function loose<T extends z.ZodMiniType>(schema: T) {
  return z.catch(z.optional(schema), undefined)
}

/** A word; a number in an address is one too: 101 is a bureau's code. */
export const wordField = loose(z.pipe(z.pipe(z.union([z.string(), z.number()]), z.transform((value) => String(value).trim())), z.string().check(z.minLength(1), z.maxLength(200))))

export const pageField = loose(z.int().check(z.minimum(2)))

/** What the sign-in page is told of where the person was, so that he gets back with filters and all. */
export function wayBack(at: { pathname: string; href: string; search: { to?: string | undefined } }): { to?: string } {
  const to = ['/signin', '/choose-role', '/logout'].includes(at.pathname) ? at.search.to : at.href
  return to && to !== '/dashboard' ? { to } : {}
}

/** A path of our own to return to; anything that could leave the site is dropped. */
export const returnPath = loose(z.string().check(z.regex(/^\/(?![/\\])/)))
