// A piece of the program that could not be fetched, told apart from other errors.

/** The name of a failed load of a script or style, or null for any other error. */
export function chunkError(error: unknown): 'ChunkLoadError' | 'CSS_CHUNK_LOAD_FAILED' | null {
  const message = error instanceof Error ? error.message : ''
  if (/preload CSS/i.test(message)) return 'CSS_CHUNK_LOAD_FAILED'
  if (/dynamically imported module|module script failed|Importing a module/i.test(message)) return 'ChunkLoadError'
  return null
}
