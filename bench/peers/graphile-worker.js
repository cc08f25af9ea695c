// graphile-worker: `node graphile-worker.js fill N` puts jobs in, `node graphile-worker.js work CONCURRENCY LOCAL` works until
// told to stop. LOCAL: how many jobs a process fetches ahead and with them ends jobs in batches; 0 is the default, one by one.
import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import { pool, portions, touch, url } from './touch.js'

const [command, count, local] = process.argv.slice(2)
const logger = new Logger(() => (level, message) => level === 'error' && console.error(message))

if (command === 'fill') {
  const utils = await makeWorkerUtils({ connectionString: url, logger })
  await utils.migrate()
  for await (const rows of portions(count)) {
    await utils.addJobs(rows.map(({ id }) => ({ identifier: 'touch', payload: { id } })))
  }
  await utils.release()
  process.exit(0)
}

const own = pool(8)
const batches = { localQueue: { size: Number(local) }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }
await run({
  preset: {
    worker: {
      connectionString: url,
      concurrentJobs: Number(count),
      maxPoolSize: Number(local) > 0 ? 4 : Number(count) + 2,
      pollInterval: 500,
      ...(Number(local) > 0 ? batches : {}),
    },
  },
  logger,
  parsedCronItems: [],
  taskList: { touch: ({ id }) => touch(own, id).then(() => undefined) },
})
console.log('working')
