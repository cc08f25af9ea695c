// Writes each text file of the build beside itself as .br and .gz, so that the api never compresses while someone waits.
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((file) => /\.(js|css)$/.test(file))
      await Promise.all(files.map(async (file) => {
        const path = `${dir}/${file}`
        const bytes = readFileSync(path)
        const [br, gz] = await Promise.all([brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }), zip(bytes, { level: 9 })])
        writeFileSync(`${path}.br`, br)
        writeFileSync(`${path}.gz`, gz)
      }))
    },
  }
}
