import { MongoClient, type MongoClientOptions } from 'mongodb'
import { type Clock } from '../core/clock.ts'
import { collectionNames, dropCollections } from './collections.ts'
import { type DataSource } from './data/data-source.ts'
import { type Limits } from './limits.ts'
import { measureWork } from './measure-work.ts'
import { type MicroTask } from './task.ts'
import { type TaskAnswer, type TaskRequest } from './task-messages.ts'

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
