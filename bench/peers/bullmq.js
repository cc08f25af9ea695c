// BullMQ: `node bullmq.js fill N` puts jobs in, `node bullmq.js work WORKERS CONCURRENCY` works until told to stop.
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { pool, portions, touch } from './touch.js'

const [command, count, concurrency] = process.argv.slice(2)
const name = 'touch'
const connect = () => new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null })

if (command === 'fill') {
  const queue = new Queue(name, { connection: connect() })
  for await (const rows of portions(count)) {
    await queue.addBulk(rows.map((row) => ({ name, data: { id: row.id }, opts: { removeOnComplete: true } })))
  }
  process.exit(0)
}

const own = pool(8)
for (let one = 0; one < Number(count); one++) {
  const worker = new Worker(name, (job) => touch(own, job.data.id).then(() => undefined), {
    connection: connect(),
    concurrency: Number(concurrency),
  })
  worker.on('error', (error) => console.error(String(error)))
}
console.log('working')
