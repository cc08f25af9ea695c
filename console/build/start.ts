// Serves start.js and, in the build, writes into it which pieces of the program each address needs, so that they come with the first ones.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rollup } from 'vite'

const source = fileURLToPath(new URL('../start.js', import.meta.url))
const read = () => readFileSync(source, 'utf8')

/** "…/routes/_app/bulk_actions.$id.tsx" is the page at "/bulk_actions/$id". */
function addressOf(module: string): string | null {
  const route = /\/src\/routes\/(.+)\.tsx\?tsr-split=component/.exec(module)?.[1]
  if (!route || route === '_app') return null
  return `/${route.replace(/^_app\//, '').replace(/\.index$/, '').replaceAll('.', '/')}`
}

export function start(): Plugin {
  return {
    name: 'start',
    configureServer(server) {
      server.middlewares.use('/start.js', (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript')
        response.end(read())
      })
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one): one is Rollup.OutputChunk => one.type === 'chunk')
      const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
      const graph = (file: string, seen = new Set<string>()): Set<string> => {
        if (seen.has(file)) return seen
        seen.add(file)
        for (const next of byFile.get(file)?.imports ?? []) graph(next, seen)
        return seen
      }
      const entry = chunks.find((chunk) => chunk.isEntry)
      const frame = chunks.find((chunk) => chunk.facadeModuleId?.includes('/src/routes/_app.tsx?tsr-split=component'))
      if (!entry || !frame) throw new Error('the build has no entry or no frame')
      const known = graph(entry.fileName)
      const pieces: Record<string, string[]> = {}
      for (const chunk of chunks) {
        const address = addressOf(chunk.facadeModuleId ?? '')
        if (!address) continue
        const framed = chunk.facadeModuleId?.includes('/routes/_app/')
        const files = [...(framed ? graph(frame.fileName) : []), ...graph(chunk.fileName)]
        pieces[address] = [...new Set(files)].filter((file) => !known.has(file))
      }
      if (!pieces['/case_list']) throw new Error('the build has no case list')
      this.emitFile({ type: 'asset', fileName: 'start.js', source: read().replace('var pieces = {}', `var pieces = ${JSON.stringify(pieces)}`) })
    },
  }
}
