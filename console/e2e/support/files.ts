// Files of synthetic cases, made by the project's own generator, and CSV that came back.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TestInfo } from '@playwright/test'

const generator = fileURLToPath(new URL('../../../scripts/make_cases.py', import.meta.url))

/** Writes a file and returns its path; `--bad` also writes what is expected beside it. */
export function makeCases(info: TestInfo, name: string, ...args: string[]): string {
  const path = info.outputPath(name)
  execFileSync('python3', [generator, ...args, '--out', path])
  return path
}

/** Reads semicolon CSV with quotes, the BOM left out. */
export function readCsv(path: string): string[][] {
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  const rows: string[][] = []
  let row: string[] = []
  // A cell, quoted or bare, and what ends it.
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r?\n|$)/g)) {
    if (end === '' && bare === '' && row.length === 0) break
    row.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'))
    if (end === ';') continue
    rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}
