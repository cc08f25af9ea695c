#!/usr/bin/env node
// Reads the tree and says where it leaves the project's rules: arrows between crates, SQL outside domain, large files,
// tests switched off, settings without documentation.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const git = (...args) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 })
const read = (path) => readFileSync(join(root, path), 'utf8')
const found = []

/** crate → what it may depend on of ours; what it may never name. */
const arrows = {
  domain: { ours: [], never: ['axum', 'apalis', 'apalis-redis', 'redis', 'reqwest'] },
  api: { ours: ['domain'], never: ['apalis', 'apalis-redis', 'redis', 'reqwest', 'registers'] },
  scheduler: { ours: ['domain'], never: ['apalis', 'apalis-redis', 'redis', 'reqwest'] },
  registers: { ours: [], never: ['sqlx', 'apalis', 'apalis-redis', 'redis', 'axum'] },
  jobs: { ours: ['domain', 'registers'], never: [] }, // axum: its status port; reqwest: webhooks
  'register-simulator': { ours: ['registers'], never: ['sqlx', 'redis', 'apalis'] },
}
const { packages } = JSON.parse(
  execFileSync('cargo', ['metadata', '--format-version', '1', '--no-deps', '--locked'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] }),
)
const ours = new Set(packages.map((one) => one.name))
for (const { name, dependencies } of packages) {
  for (const { name: other, kind } of dependencies) {
    if (kind === 'dev' || !arrows[name]) continue
    if (ours.has(other) && !arrows[name].ours.includes(other)) found.push(`${name}/Cargo.toml: ${name} must not depend on ${other}`)
    if (arrows[name].never.includes(other)) found.push(`${name}/Cargo.toml: ${other} has no place in ${name}`)
  }
}

const generated = /(^|\/)(routeTree\.gen\.ts|schema\.d\.ts|\.sqlx\/|package-lock\.json|Cargo\.lock|openapi\.json)/
const test = /(^|\/)(tests|e2e|benches)\/|\.(test|spec)\.tsx?$|_test\.rs$|(^|\/)tests\.rs$/
const files = git('ls-files', '-co', '--exclude-standard').split('\n')
  .filter((path) => /\.(rs|ts|tsx|sh|css|sql)$/.test(path) && !generated.test(path) && existsSync(join(root, path)))
const settings = new Set(['HOSTNAME', ...[...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)(?==)/gm)].map((match) => match[1])])

for (const path of files) {
  const text = read(path)
  const lines = text.split('\n')
  const say = (at, message) => found.push(`${path}${at ? `:${at}` : ''}: ${message}`)
  const tests = test.test(path)
  if (lines.length > 501 && !tests && !path.startsWith('migrations/')) say(0, `${lines.length - 1} lines`)
  if (/\.(rs|sql)$/.test(path) && lines[0] && !/^(\/\/|--|#!\[)/.test(lines[0])) say(1, 'the first line says what the file owns')

  const production = path.endsWith('.rs') && !tests && !/^(bench|faults)\//.test(path)
  lines.forEach((line, index) => {
    const at = index + 1
    if (production && !line.trimStart().startsWith('//')) {
      if (path !== 'jobs/src/broker.rs' && /\bapalis(_\w+)?::/.test(line)) say(at, 'only jobs/src/broker.rs knows apalis')
      if (!path.startsWith('domain/') && /\bsqlx::(query|raw_sql)|\b(query|query_as|query_scalar)!\(|\bQueryBuilder\b|\bcopy_(in|out)_raw\b/.test(line)) say(at, 'SQL belongs to domain')
      if (path.startsWith('api/src/') && !path.startsWith('api/src/error') && /StatusCode::(?=[A-Z])(?!OK\b|CREATED|ACCEPTED|NO_CONTENT|NOT_MODIFIED|PARTIAL)/.test(line)) say(at, 'only api/src/error.rs names a 4xx or 5xx')
      for (const [, name] of line.matchAll(/\b(?:config::\w+|get|number|env::var)\((?:get, )?"([A-Z][A-Z0-9_]+)"/g)) {
        if (!settings.has(name)) say(at, `${name} is not in .env.example`)
      }
    }
    if (path.endsWith('.rs') && /#\[(ignore|cfg_attr\(.*\bignore\b)/.test(line)) say(at, 'a test is switched off')
    if (/\.tsx?$/.test(path) && /\b(it|test|describe)\.(skip|fixme|only|todo)\b|\bx(it|describe|test)\(/.test(line)) say(at, 'a test is switched off')
    if (/(\/\/|--|\/\*).*\b(TODO|FIXME|XXX)\b/.test(line)) say(at, 'unfinished')
  })
}

// The document knows a shape by its name: of two with one name it would keep one.
const shapes = new Map()
for (const path of files.filter((one) => one.startsWith('api/src/'))) {
  for (const [, name] of read(path).matchAll(/derive\([^)]*\bToSchema\b[^)]*\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))? )?struct (\w+)/g)) {
    if (shapes.has(name)) found.push(`${path}: ${name} is also the name of a shape in ${shapes.get(name)}`)
    shapes.set(name, path)
  }
}

const shown = found.slice(0, 60)
for (const line of shown) console.error(line)
if (found.length > shown.length) console.error(`… and ${found.length - shown.length} more`)
console.log(`structure: ${files.length} files, ${found.length} objections`)
process.exit(found.length ? 1 : 0)
