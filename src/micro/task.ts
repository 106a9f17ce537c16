import { type Db, type MongoClient } from 'mongodb'
import { type DataName, type DataSource } from './data/data-source.ts'

export const groups = {
  bson: 'BSON',
  single: 'Single document',
  multi: 'Several documents',
  parallel: 'Parallel',
} as const
export type Group = keyof typeof groups

/** The averages that a task may be counted in. DriverBench is made of two of them. */
export const averages = ['BSONBench', 'SingleBench', 'MultiBench', 'ParallelBench', 'ReadBench', 'WriteBench'] as const
export type Average = (typeof averages)[number]

/** What is repeated and timed. */
export type Work = {
  /** Of documents or files that one iteration handles, as the specification counts them. */
  readonly bytes: number
  /** Before each iteration, outside of the clock. */
  readonly beforeEach?: () => Promise<void> | void
  readonly iterate: () => Promise<unknown> | void
}

/** Where a task works. Its collections are ours, and empty when it begins. */
export type Place = {
  readonly data: DataSource
  readonly client: MongoClient
  readonly db: Db
  /** For files; removed after the last task. */
  readonly workFolder: string
}

type Facts = {
  /** On the command line: "find-one-by-id". */
  readonly name: string
  /** As the specification calls it. */
  readonly title: string
  readonly group: Group
  readonly countsIn: readonly Average[]
  /** Data sets that it reads. */
  readonly data: readonly DataName[]
}

/** A task of the driver benchmark specification: one file, and one entry in `tasks/index.ts`. Its work is set up once. */
export type MicroTask = Facts &
  (
    | { readonly on: 'client'; readonly prepare: (data: DataSource) => Promise<Work> }
    | {
        readonly on: 'server'
        /** Major version of the server that has what this measures. Default: any. */
        readonly sinceServer?: number
        readonly prepare: (place: Place) => Promise<Work>
      }
  )
