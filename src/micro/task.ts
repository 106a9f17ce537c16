import type { Db, MongoClient } from 'mongodb'
import { Problem } from '../core/errors.ts'
import type { DataName, DataSource } from './data/data-source.ts'
import type { MeasuredTask } from './results.ts'

/** Titles of the groups of tasks. */
export const groups = {
  bson: 'BSON',
  single: 'Single document',
  multi: 'Several documents',
  parallel: 'Parallel',
  generators: 'Generators',
  expressions: 'Expressions',
} as const
export type Group = keyof typeof groups

/** The averages that a task can count in. DriverBench consists of two of them. */
export const averages = ['BSONBench', 'SingleBench', 'MultiBench', 'ParallelBench', 'ReadBench', 'WriteBench'] as const
export type Average = (typeof averages)[number]

/** The repeated and timed part of a task. */
export type Work = {
  /** Bytes of the documents or files of one iteration, as the specification counts them. */
  readonly bytes: number
  /** Number of operations in one iteration, for statistics of one of them. Default: 1. */
  readonly operations?: number
  /** Runs before each iteration and is not timed. */
  readonly beforeEach?: () => Promise<void> | void
  readonly iterate: () => Promise<unknown> | void
}

/** @param renew Prepares an iteration and returns what it does; only that is timed. */
export function renewEach(bytes: number, renew: () => Promise<() => Promise<unknown>>): Work {
  let run: () => Promise<unknown>
  return {
    bytes,
    async beforeEach() {
      run = await renew()
    },
    iterate: () => run(),
  }
}

/** Environment of a task on a server. Its collections are empty when it begins. */
export type TaskContext = {
  readonly data: DataSource
  readonly client: MongoClient
  readonly db: Db
  /** Folder for files, removed after the last task. */
  readonly workFolder: string
}

type Facts = {
  /** Name on the command line: "find-one-by-id". */
  readonly name: string
  /** Name in the specification. */
  readonly title: string
  readonly group: Group
  readonly countsIn: readonly Average[]
  /** Data sets that it reads. */
  readonly data: readonly DataName[]
}

/** A task of the driver benchmark specification, or one in memory of our own: one entry in `tasks.ts`. Its work is prepared once. */
export type MicroTask = Facts &
  (
    | { readonly on: 'client'; readonly prepare: (data: DataSource) => Promise<Work> }
    | {
        readonly on: 'server'
        /** Minimum major version of the server. Default: any. */
        readonly sinceServer?: number
        readonly prepare: (context: TaskContext) => Promise<Work>
      }
  )

/** The request to a task process. It is a message, because all users of the machine can read arguments. */
export type TaskRequest = {
  readonly task: string
  readonly limits: Limits
  /** Folder with the specification's own files. Absent: data is generated. */
  readonly dataFolder?: string | undefined
  /** For tasks on a server: its URI, which is a secret, and the name of our database. */
  readonly server?: { readonly uri: string; readonly database: string } | undefined
}

export type TaskAnswer =
  | {
      readonly kind: 'measured'
      readonly bytes: number
      readonly seconds: readonly number[]
      /** Statistics of tinybench. Null: the task ran on a server. */
      readonly statistics: MeasuredTask['statistics']
    }
  | { readonly kind: 'failed'; readonly reason: string }

/**
 * When a task stops: after the minimum time and the iterations, at the latest after the maximum time. The time is that of
 * the iterations alone; an iteration in progress is completed.
 */
export type Limits = { readonly minSeconds: number; readonly maxSeconds: number; readonly iterations: number }

/** The limits of the specification. */
export const rules: Limits = { minSeconds: 60, maxSeconds: 300, iterations: 100 }

/** For a quick run of a few minutes, which is far too short for a score. */
export const quickLimits: Limits = { minSeconds: 1, maxSeconds: 5, iterations: 10 }

/** Whether limits are those of the specification. */
export const followsTheRules = ({ minSeconds, maxSeconds, iterations }: Limits): boolean =>
  minSeconds === rules.minSeconds && maxSeconds === rules.maxSeconds && iterations === rules.iterations

/**
 * The limits of a run.
 * @param requested Limits that replace those of the specification, or of the quick run.
 */
export function resolveLimits(quick: boolean, requested: Partial<Limits>): Limits {
  const { minSeconds, maxSeconds, iterations } = { ...(quick ? quickLimits : rules), ...requested }
  if (minSeconds <= maxSeconds) return { minSeconds, maxSeconds, iterations }
  throw new Problem('usage', `The minimum time is ${minSeconds} s and the maximum time ${maxSeconds} s`, {
    hint: 'Set --min-seconds and --max-seconds so that the first is not above the second.',
  })
}
