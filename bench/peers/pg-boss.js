// pg-boss doing one bare UPDATE a job: `node pg-boss.js fill N` puts jobs in, `node pg-boss.js work LOOPS BATCH`
// works until told to stop.
import PgBoss from 'pg-boss'
import pg from 'pg'

const [command, count, batchSize] = process.argv.slice(2)
const url = process.env.DATABASE_URL.split('?')[0] // its sslmode=prefer means something else to pg
const queue = 'touch'
const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: 4 })
boss.on('error', (error) => console.error(String(error)))
await boss.start()
await boss.createQueue(queue)

if (command === 'fill') {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const { rows } = await pool.query('select id from cases order by id limit $1', [Number(count)])
  for (let at = 0; at < rows.length; at += 5000) {
    await boss.insert(rows.slice(at, at + 5000).map((row) => ({ name: queue, data: { id: row.id } })))
  }
  await pool.end()
  await boss.stop({ graceful: false })
  process.exit(0)
}

const pool = new pg.Pool({ connectionString: url, max: 8 })
// One loop takes a batch each half second at most, however soon it is done: several, so that the database is the limit.
for (let loop = 0; loop < Number(count); loop++) {
  await boss.work(queue, { batchSize: Number(batchSize), pollingIntervalSeconds: 0.5 }, async (jobs) => {
    await Promise.all(jobs.map((job) => pool.query('update cases set updated_at = clock_timestamp() where id = $1', [job.data.id])))
  })
}
console.log('working')
