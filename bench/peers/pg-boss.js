// pg-boss: `node pg-boss.js fill N` puts jobs in, `node pg-boss.js work LOOPS BATCH` works until told to stop.
import PgBoss from 'pg-boss'
import { pool, portions, touch, url } from './touch.js'

const [command, count, batchSize] = process.argv.slice(2)
const queue = 'touch'
const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: 4 })
boss.on('error', (error) => console.error(String(error)))
await boss.start()
await boss.createQueue(queue)

if (command === 'fill') {
  for await (const rows of portions(count)) {
    await boss.insert(rows.map(({ id }) => ({ name: queue, data: { id } })))
  }
  await boss.stop({ graceful: false })
  process.exit(0)
}

const own = pool(8)
// One loop takes a batch each half second at most, however soon it is done: several, so that the database is the limit.
for (let loop = 0; loop < Number(count); loop++) {
  await boss.work(queue, { batchSize: Number(batchSize), pollingIntervalSeconds: 0.5 }, async (jobs) => {
    await Promise.all(jobs.map((job) => touch(own, job.data.id)))
  })
}
console.log('working')
