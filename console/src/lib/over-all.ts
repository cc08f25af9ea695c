// Runs one act over several things, four at a time; the first refusal is told, the others still run.
export async function overAll<T>(things: T[], act: (thing: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  const queue = [...things]
  const runner = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- four runners share the queue
      await act(next).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all([runner(), runner(), runner(), runner()])
  if (failures.length > 0) throw failures[0]
}
