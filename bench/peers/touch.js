// What every peer's job does: one bare UPDATE of its case, by a statement that is planned once a connection.
import pg from 'pg'

export const url = process.env.DATABASE_URL.split('?')[0] // its sslmode=prefer means something else to pg

/** A pool of so many connections for the jobs' own statements. */
export const pool = (max) => new pg.Pool({ connectionString: url, max })

export const touch = (pool, id) =>
  pool.query({ name: 'touch', text: 'update cases set updated_at = clock_timestamp() where id = $1', values: [id] })

/** The first cases, in portions as large as one call of a peer takes well. */
export async function* portions(count) {
  const one = pool(1)
  const { rows } = await one.query('select id from cases order by id limit $1', [Number(count)])
  await one.end()
  for (let at = 0; at < rows.length; at += 5000) yield rows.slice(at, at + 5000)
}
