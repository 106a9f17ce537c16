import { type JsonObject } from '../../core/json.ts'

/**
 * A collection as `pre` leaves it. In values of a test a JSON number is a double, as it is in the legacy shell; all other types
 * are Extended JSON.
 */
export type RecordedCollection = {
  readonly name: string
  /** Options of `create`. */
  readonly options: JsonObject
  /** Documents in the order of their inserts, each as a line of Extended JSON. */
  readonly lines: readonly string[]
  /** `{key, …options}` of each secondary index. */
  readonly indexes: readonly JsonObject[]
  /** Whether the first index came before the first document. */
  readonly indexedFirst: boolean
}

/** A write that documents and indexes cannot express: a model of `bulkWrite`. */
export type RecordedWrite = { readonly collection: string; readonly model: JsonObject }

/** Effect of `pre` or `post` on a database that was empty. */
export type RecordedSetup = {
  readonly collections: readonly RecordedCollection[]
  /** Writes after the documents, in their order. */
  readonly writes: readonly RecordedWrite[]
  /** Inserts that the server refuses because their `_id` is there, and after which the shell goes on. */
  readonly duplicates: number
  /** Parameters of the server that `setParameter` set. */
  readonly serverParameters: JsonObject
}

/** A set-up, and the numbers of threads for which `pre` makes it. */
export type SetupOfThreads = { readonly threads: readonly number[]; readonly pre: RecordedSetup }

/** A test case as its file defines it. */
export type RecordedTest = {
  readonly name: string
  /** Name of the collection that `pre` was given. */
  readonly collection: string
  /** One, unless `pre` reads the number of threads. */
  readonly setups: readonly SetupOfThreads[]
  readonly ops: readonly JsonObject[]
  readonly post: RecordedSetup
}

/** A test case that is not recorded, or a whole file. */
export type RefusedTest = { readonly kind: 'refused'; readonly name: string; readonly reason: string }

/** Outcome of recording a test case, or a whole file. */
export type Recording = { readonly kind: 'recorded'; readonly test: RecordedTest } | RefusedTest

/** Name that is shown for a test when its whole file is refused. */
export const wholeFile = '(the whole file)'

/** Request to record a file. */
export type RecordRequest = {
  /** Path of the file. */
  readonly file: string
  /** Paths of files that are loaded before it. */
  readonly before: readonly string[]
  /** Folder below which `load` finds files. */
  readonly folder: string
  /** Names of tests, where `*` stands for anything. Empty: all. */
  readonly tests: readonly string[]
  /** Numbers of threads to prepare for, at least one. */
  readonly threads: readonly number[]
  /** Time in which the file, and each `pre` and `post`, must end, in seconds. */
  readonly seconds: number
  /** Memory of the process that records, of which documents may take a half. */
  readonly memoryMB: number
  /** How many of the chosen tests are left out, because they are recorded already. Default: none. */
  readonly from?: number
}

/** The most bytes of documents and writes that a `pre` or `post` may make: whatever the machine, the same tests come through. */
export const maxRecordedBytes = ({ memoryMB }: Pick<RecordRequest, 'memoryMB'>): number => (memoryMB / 2) * 2 ** 20

/** Messages of recording, in this order: the names of the chosen tests, then each of them. */
export type RecordMessage =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'recording'; readonly recording: Recording }

/**
 * Messages of the process that records: documents of the next test, each as a text; the messages of recording, where collections have no documents but
 * their counts, in the order of `mapLines`; and how it ended.
 */
export type ProcessMessage =
  | string
  | Extract<RecordMessage, { readonly kind: 'names' }>
  | (Extract<RecordMessage, { readonly kind: 'recording' }> & { readonly counts: readonly number[] })
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly reason: string }

/** A test with other documents in its collections. */
export function mapLines(test: RecordedTest, change: (lines: readonly string[]) => readonly string[]): RecordedTest {
  const changed = (setup: RecordedSetup): RecordedSetup => ({
    ...setup,
    collections: setup.collections.map((collection) =>
      Object.assign({}, collection, { lines: change(collection.lines) }),
    ),
  })
  const setups = test.setups.map(({ threads, pre }) => ({ threads, pre: changed(pre) }))
  return { ...test, setups, post: changed(test.post) }
}

/** The database that the official runner gives to the first collection of a test. */
export const recordedDatabase = 'test0'

/** Why something of a test cannot be recorded or expressed in a spec. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported'
}

/** Whether a name is chosen by names in which `*` stands for anything; no names choose all. */
export const isChosen = (name: string, given: readonly string[]): boolean =>
  given.length === 0 || given.some((pattern) => matches(name, pattern))

/** Whether `*` stands for the rest of a name. */
export function matches(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name)
}
