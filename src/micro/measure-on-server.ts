import { MongoClient, type MongoClientOptions } from 'mongodb'
import type { Clock } from '../core/clock.ts'
import { nameApplication } from '../servers/targets/connection/uri-options.ts'
import { collectionNames, dropCollections } from './collections.ts'
import type { DataSource } from './data/data-source.ts'
import type { Limits, MicroTask, TaskAnswer, TaskRequest, Work } from './task.ts'

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
  await using client = new MongoClient(uri, { appName: nameApplication(uri), ...clientOptions })
  const db = client.db(database)
  await dropCollections(db, collectionNames)
  const work = await task.prepare({ data, client, db, workFolder })
  const seconds = await measureWork(work, limits, clock)
  await dropCollections(db, collectionNames)
  return { kind: 'measured', bytes: work.bytes, seconds, statistics: null }
}

/**
 * Repeats the work after one warm-up iteration, until the minimum time and the iterations are reached or the maximum time is, and
 * returns the seconds of each iteration in order.
 */
export async function measureWork(
  work: Work,
  { minSeconds, maxSeconds, iterations }: Limits,
  clock: Pick<Clock, 'now'>,
): Promise<readonly number[]> {
  const timeIteration = async (): Promise<number> => {
    await work.beforeEach?.()
    const startMs = clock.now()
    await work.iterate()
    return clock.now() - startMs
  }
  await timeIteration()
  const seconds: number[] = []
  let spentMs = 0
  do {
    const ms = await timeIteration()
    seconds.push(ms / 1000)
    spentMs += ms
  } while (spentMs < maxSeconds * 1000 && (spentMs < minSeconds * 1000 || seconds.length < iterations))
  return seconds
}
