#!/usr/bin/env node
// Holds what is built in, Rust and console, to deny.toml: licences, banned crates, sources.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const found = []

const rules = readFileSync(join(root, 'deny.toml'), 'utf8').replace(/^\s*#.*$/gm, '')
const array = (key) => new RegExp(`^${key} = \\[([^\\]]*)\\]`, 'm').exec(rules)?.[1] ?? ''
const strings = (text) => [...text.matchAll(/"([^"]*)"/g)].map((match) => match[1])
const licences = new Set(strings(array('allow')))
const registries = strings(array('allow-registry')).map((url) => `registry+${url}`)
const banned = new Map([...array('deny').matchAll(/name = "([^"]+)", reason = "([^"]+)"/g)].map((m) => [m[1], m[2]]))
if (!licences.size || !registries.length || !banned.size) throw new Error('deny.toml cannot be read')

/** Whether an SPDX expression can be met with allowed licences; the old `A/B` means `A OR B`. */
function allowed(expression) {
  const tokens = expression.replaceAll('/', ' OR ').match(/[()]|[^\s()]+/g) ?? []
  let at = 0
  const one = () => {
    if (tokens[at] === '(') {
      at += 1
      const inner = any()
      at += 1
      return inner
    }
    let name = tokens[at++]
    if (tokens[at] === 'WITH') {
      name += ` WITH ${tokens[at + 1]}`
      at += 2
    }
    return licences.has(name)
  }
  const all = () => {
    let met = one()
    while (tokens[at] === 'AND') {
      at += 1
      met = one() && met
    }
    return met
  }
  const any = () => {
    let met = all()
    while (tokens[at] === 'OR') {
      at += 1
      met = all() || met
    }
    return met
  }
  return any() && at === tokens.length
}

const target = /triple = "([^"]+)"/.exec(rules)[1]
const { packages, resolve } = JSON.parse(
  execFileSync('cargo', ['metadata', '--format-version', '1', '--locked', '--filter-platform', target], {
    cwd: root,
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
)
const used = new Set(resolve.nodes.map((node) => node.id))
const crates = packages.filter((one) => used.has(one.id))
for (const { name, version, license, source } of crates) {
  const where = `${name} ${version}`
  if (!license) found.push(`${where}: names no licence`)
  else if (!allowed(license)) found.push(`${where}: licence ${license}`)
  if (banned.has(name)) found.push(`${where}: banned (${banned.get(name)})`)
  if (source && !registries.includes(source)) found.push(`${where}: comes from ${source}`)
}

const lock = join(root, 'console/package-lock.json')
let modules = 0
if (existsSync(lock)) {
  for (const [path, entry] of Object.entries(JSON.parse(readFileSync(lock, 'utf8')).packages)) {
    if (path === '' || entry.link) continue
    modules += 1
    const name = path.slice(path.lastIndexOf('node_modules/') + 13)
    const where = `${name} ${entry.version}`
    // Packages for development alone do not reach the user; there the licence may be any.
    if (!entry.dev && !entry.license) found.push(`${where}: names no licence`)
    else if (!entry.dev && !allowed(entry.license)) found.push(`${where}: licence ${entry.license}`)
    if (!entry.integrity && !entry.inBundle) found.push(`${where}: no checksum in package-lock.json`)
    if (/^(git|github|file|https?:\/\/(codeload|github))/.test(entry.resolved ?? '')) found.push(`${where}: comes from ${entry.resolved}`)
  }
}

for (const line of found) console.error(line)
console.log(`dependencies: ${crates.length} crates and ${modules} npm packages, ${found.length} objections`)
process.exit(found.length ? 1 : 0)
