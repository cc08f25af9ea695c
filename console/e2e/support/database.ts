// The product's database, in the role of its scheduler: for what only time or bad luck would bring about.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export function inDatabase(statement: string): string {
  // What follows the question mark is for sqlx.
  const [address = ''] = readFileSync(`${process.env.TOIMIK_DATA}/db/scheduler.url`, 'utf8').trim().split('?')
  return execFileSync('psql', ['-XAtq', '-v', 'ON_ERROR_STOP=1', '-c', `set role toimik_queue; ${statement}`, address], { encoding: 'utf8' }).trim()
}
