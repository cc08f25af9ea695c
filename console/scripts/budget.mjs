// Says how much each page loads, gzipped, and fails over the budget. Run it after a build.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'))
const size = (file) => gzipSync(readFileSync(dist + file), { level: 9 }).length

/** The chunk and everything that it imports at once. */
function graph(key, seen = new Set()) {
  if (seen.has(key)) return seen
  seen.add(key)
  for (const next of manifest[key].imports ?? []) graph(next, seen)
  return seen
}

function chunksOf(...routes) {
  const keys = new Set(graph('index.html'))
  for (const route of routes) {
    const found = Object.keys(manifest).filter((key) => key.startsWith(`src/routes/${route}.tsx`))
    if (found.length === 0) throw new Error(`no chunk for route ${route}`)
    for (const key of found) graph(key, keys)
  }
  return [...keys]
}

const js = (keys) => keys.filter((key) => manifest[key].file.endsWith('.js')).reduce((sum, key) => sum + size(manifest[key].file), 0)
const css = [...new Set(Object.values(manifest).flatMap((chunk) => chunk.css ?? []))].reduce((sum, file) => sum + size(file), 0)
const lazy = Object.entries(manifest).filter(([key, chunk]) => key !== 'index.html' && chunk.file.endsWith('.js'))
const largest = lazy.map(([key, chunk]) => [key, size(chunk.file)]).toSorted((a, b) => b[1] - a[1])[0]

const rows = [
  ['first route (sign-in) JS', js(chunksOf('signin')), 150],
  ['dashboard JS', js(chunksOf('_app', '_app/dashboard')), 250],
  ['case list JS', js(chunksOf('_app', '_app/case_list')), 250],
  ['bulk action JS', js(chunksOf('_app', '_app/bulk_actions.$id')), 250],
  ['jobs JS', js(chunksOf('_app', '_app/jobs.index')), 250],
  ['job JS', js(chunksOf('_app', '_app/jobs.$id')), 250],
  [`largest lazy chunk (${largest[0].replace(/^src\//, '')})`, largest[1], 140],
  ['CSS', css, 15],
]
let over = 0
for (const [name, bytes, budget] of rows) {
  const kb = bytes / 1000
  if (kb > budget) over++
  console.log(`${kb > budget ? 'over ' : 'ok   '} ${kb.toFixed(1).padStart(6)} kB of ${budget} kB  ${name}`)
}
// By what they hold: a bundler names chunks as it likes.
const libraries = /recharts-surface|ProseMirror/
const text = (key) => readFileSync(dist + manifest[key].file, 'utf8')
const scripts = Object.keys(manifest).filter((key) => manifest[key].file.endsWith('.js'))
if (!scripts.some((key) => libraries.test(text(key)))) throw new Error('no chunk holds the chart library: this check sees nothing')
const heavy = chunksOf('signin').filter((key) => scripts.includes(key) && libraries.test(text(key)))
if (heavy.length > 0) {
  over++
  console.log(`over  the first route loads ${heavy.join(', ')}`)
}
process.exitCode = over > 0 ? 1 : 0
