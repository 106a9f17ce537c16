import { EJSON } from 'bson'
import { type Document, MongoBulkWriteError, MongoClient, MongoServerError, ReadConcern } from 'mongodb'
import { run, type SpecInput } from '../../../../src/entries/index.ts'
import { type OperationResult } from '../../../../src/results/schema/calls.ts'
import { startWireTap, type WireTap } from '../../../contract/support/wire-tap.ts'
import { bulkCounts } from './bulks.ts'
import { type Counts, none, rows, type Truth, type TruthCase } from './truth.ts'

/** What can be seen of a call from outside. */
export type Observation = {
  readonly outcome: Counts | (Omit<Counts, 'bytes'> & { readonly failed: string })
  /** The collection afterwards. */
  readonly stored: readonly unknown[]
  /** Every command that the server was sent. */
  readonly sent: readonly Document[]
}

/** A server with a tap before it. */
export type Bench = AsyncDisposable & {
  readonly tap: WireTap
  /** Seen by the tap. */
  readonly tapped: MongoClient
  /** Past it. */
  readonly direct: MongoClient
}

export async function openBench(uri: string): Promise<Bench> {
  const tap = await startWireTap(uri)
  const tapped = new MongoClient(tap.uri, { retryReads: false, retryWrites: false })
  const direct = new MongoClient(uri)
  return {
    tap,
    tapped,
    direct,
    async [Symbol.asyncDispose]() {
      await Promise.all([tapped.close(), direct.close()])
      await tap[Symbol.asyncDispose]()
    },
  }
}

const indexes = [{ key: { n: 1 } }] as const
const options = { validator: { n: { $not: { $gte: 100 } } } } as const

/** Own collections for every case, so that one run makes all of them. */
const collectionOf = (kind: string, option: string): string => `${kind}_${option.replace('.', '_')}`

/** Calls an operation through one spec: once as it is, under the name "", and once with each of its options. */
export async function bySpec(bench: Bench, kind: string, truth: Truth): Promise<ReadonlyMap<string, Observation>> {
  const cases = Object.entries<TruthCase | undefined>({ '': undefined, ...truth.options })
  const spec = {
    name: `truth-${kind.toLowerCase()}`,
    data: cases.map(([option]) => ({
      collection: collectionOf(kind, option),
      rows: rows.length,
      document: { '@arrayElemAt': [rows, { '@row': {} }] },
      indexes,
      options,
    })),
    phases: cases.map(([option, each], i) => ({
      name: `case-${i}`,
      stopAfter: { operations: 1 },
      operations: [
        { kind, collection: collectionOf(kind, option), ...truth.args, ...each?.args, ...optionsOf(option, each) },
      ],
    })),
  }
  const { variants } = await run(spec as unknown as SpecInput, { uri: bench.tap.uri })
  const database = `mongoperf_${spec.name.replaceAll('-', '_')}`
  const found = cases.map(async ([option], i) => {
    const result = variants[0]?.phases[i]?.operations[0]
    return [option, await see(bench, database, collectionOf(kind, option), outcomeOf(result))] as const
  })
  return new Map(await Promise.all(found))
}

/**
 * Makes the same call by hand, on the same documents in another database.
 * @param leaveOut Whether the option is not given: what is seen then must be something else.
 */
export async function byHand(
  bench: Bench,
  kind: string,
  truth: Truth,
  option: string,
  leaveOut: boolean,
): Promise<Observation> {
  const each = truth.options[option]
  const database = leaveOut ? 'truth_without' : 'truth_by_hand'
  const name = collectionOf(kind, option)
  const made = await bench.direct.db(database).createCollection(name, options)
  await made.createIndex({ n: 1 })
  await made.insertMany([...structuredClone(rows)])
  const collection = bench.tapped
    .db(database, { writeConcern: { w: 'majority', wtimeoutMS: 10_000 }, readConcern: new ReadConcern('local') })
    .collection(name)
  const args = { ...truth.args, ...each?.args, ...each?.drawn, ...(leaveOut && each?.without) }
  const given = leaveOut ? { ...each?.beside } : optionsOf(option, each)
  const ordered = 'ordered' in truth.options ? { ordered: true, ...given } : given
  return see(
    bench,
    database,
    name,
    await truth.byHand(collection, args, ordered).catch((error: unknown) => failure(error, truth)),
  )
}

const optionsOf = (option: string, each: TruthCase | undefined): Document =>
  each === undefined || each.without ? {} : { ...each.beside, [option]: each.given }

function outcomeOf(result: OperationResult | undefined): Observation['outcome'] {
  if (!result) throw new Error('The phase has no result')
  const { documents, matched, modified, upserted, inserted, deleted, bytes } = result
  const counts = { documents, matched, modified, upserted, inserted, deleted }
  return result.ok === 1 ? { ...counts, bytes } : { ...counts, failed: result.errors[0]?.code ?? '' }
}

function failure(error: unknown, { refused = none }: Truth): Observation['outcome'] {
  if (!(error instanceof MongoServerError)) throw error
  const { bytes: _, ...counts } = error instanceof MongoBulkWriteError ? bulkCounts(error.result) : refused
  return { ...counts, failed: String(error.code) }
}

async function see(
  { tap, direct }: Bench,
  database: string,
  name: string,
  outcome: Observation['outcome'],
): Promise<Observation> {
  const stored = await direct
    .db(database)
    .collection(name)
    .find({}, { sort: { _id: 1 }, promoteValues: false })
    .toArray()
  // Plans are asked for, and their reads made again, over connections of their own.
  const explaining = new Set(tap.sent.filter(({ command }) => 'explain' in command).map(({ connection }) => connection))
  const ofCollection = tap.sent.filter(
    ({ command, connection }) => command['$db'] === database && isAbout(command, name) && !explaining.has(connection),
  )
  const last = ofCollection.at(-1)?.connection
  // Loading has connections of its own.
  const sent = ofCollection.filter(({ connection }) => connection === last).map(({ command }) => command)
  return {
    outcome,
    stored: stored.map((document) => comparable(EJSON.serialize(document, { relaxed: false }))),
    sent: sent.map((command) => comparable(command) as Document),
  }
}

const isAbout = (command: Document, name: string): boolean =>
  Object.values(command)[0] === name || command['collection'] === name

/** What differs from call to call whatever is asked for. */
const passing = new Set(['lsid', '$db', '$clusterTime', 'txnNumber', 'getMore', 'cursors'])

export function comparable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(comparable)
  if (typeof node !== 'object' || node === null) return node
  if ('$oid' in node) return 'an ObjectId'
  const kept = Object.entries(node).filter(([key]) => !passing.has(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, comparable(value)]))
}
