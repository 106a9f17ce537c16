import { setImmediate } from 'node:timers/promises'
import { MongoClient, type MongoClientOptions } from 'mongodb'
import { Bench } from 'tinybench'
import { type Clock } from '../core/clock.ts'
import { collectionNames, dropCollections } from './collections.ts'
import { type DataSource } from './data/data-source.ts'
import { type Limits } from './limits.ts'
import { type TaskAnswer, type TaskRequest } from './task-messages.ts'
import { type MicroTask, type Work } from './task.ts'

/** The specification requires w: 1, which overrides the URI; all other options are driver defaults. */
export const clientOptions = { writeConcern: { w: 1 } } as const satisfies MongoClientOptions

type Means = {
  readonly data: DataSource
  readonly workFolder: string
  readonly limits: Limits
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Prepares a task in our own database and measures it. Its collections are dropped afterwards; after a failure, by the next
 * task or at the end.
 */
export async function measureOnServer(
  task: Extract<MicroTask, { on: 'server' }>,
  { uri, database }: NonNullable<TaskRequest['server']>,
  { data, workFolder, limits, clock }: Means,
): Promise<TaskAnswer> {
  await using client = new MongoClient(uri, { appName: 'mongo-perf', ...clientOptions })
  const db = client.db(database)
  await dropCollections(db, collectionNames)
  const work = await task.prepare({ data, client, db, workFolder })
  const seconds = await measureWork(work, limits, clock)
  await dropCollections(db, collectionNames)
  return { kind: 'measured', bytes: work.bytes, seconds }
}

/**
 * Repeats the work within the limits, after one warm-up iteration, and returns the seconds of each iteration in order.
 * tinybench continues until both the minimum time and the iterations are reached; a signal stops it at the maximum time.
 */
export async function measureWork(
  work: Work,
  { minSeconds, maxSeconds, iterations }: Limits,
  clock: Pick<Clock, 'now'>,
): Promise<readonly number[]> {
  const enough = new AbortController()
  const seconds: number[] = []
  let spentMs = 0
  let isWarm = false

  const bench = new Bench({
    time: minSeconds * 1000,
    iterations,
    warmupTime: 0,
    warmupIterations: 1,
    signal: enough.signal,
    throws: true,
  })
  const iteration = async () => {
    const startMs = clock.now()
    await work.iterate()
    const ms = clock.now() - startMs
    if (isWarm) {
      seconds.push(ms / 1000)
      spentMs += ms
      if (spentMs >= maxSeconds * 1000) enough.abort()
    }
    return { overriddenDuration: ms }
  }
  bench.add('work', iteration, {
    async: true,
    async beforeEach(mode) {
      isWarm = mode === 'run'
      // Work without I/O would block the event loop, and this process would not notice that its parent is gone.
      await setImmediate()
      await work.beforeEach?.()
    },
  })
  await bench.run()
  return seconds
}
