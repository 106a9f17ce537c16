import { EJSON, ObjectId } from 'bson'
import { BSON, type Document, type MongoClient } from 'mongodb'
import { createEngine } from '../../../../src/load/engines/create-engine.ts'
import { bundledDriver } from '../../../../src/load/engines/driver/load-driver.ts'
import {
  type AbortTest,
  type Outcome,
  type PhaseEngine,
  type TransactionSettings,
} from '../../../../src/load/engines/engine.ts'
import { type MethodKind, type NamedArguments, type Write } from '../../../../src/load/engines/intent.ts'
import { type ReplyKind } from '../../../../src/load/engines/reply-traits.ts'
import { type MethodPlan, type OperationPlan, type PhasePlan } from '../../../../src/load/plan/plan.ts'
import { EncodedValue, headroomBytes } from '../../../../src/protocol/bson/encoded.ts'
import { BsonWriter } from '../../../../src/protocol/bson/writer.ts'
import { getOperation } from '../../../../src/spec/operations/index.ts'
import { fakeOperation, fakePhase, sendTo } from '../../../fakes/fake-calls.ts'

/** Who makes a call: the driver, or the wire engine, with values of JavaScript or with ones that have been written as BSON. */
export const senders = ['driver', 'wire', 'encoded'] as const
export type Sender = (typeof senders)[number]

export type Given = Omit<NamedArguments, 'options'> & Partial<Pick<NamedArguments, 'options'>>

/** One call, made by each. Where nothing is acknowledged its plan must be its own. */
export type MethodCase = {
  readonly kind: MethodKind
  /** Built anew for each: the driver writes into what it is given. */
  readonly given: () => Given
  /** Default: one of its own, with `rows` in it. */
  readonly collection?: string
  readonly reply?: ReplyKind
  readonly documentIsRead?: boolean
  readonly plan?: Partial<PhasePlan>
  /** Data of `failCommand`, set before each of the calls. */
  readonly failPoint?: Document
  /** Default: the whole outcome is the same. */
  readonly onlyKind?: string
}

export type StepCase = Pick<MethodCase, 'kind' | 'given' | 'documentIsRead'> & {
  readonly abort?: AbortTest
  readonly isSkipped?: boolean
}

/** One operation of several calls on the same collection. */
export type StepsCase = {
  readonly steps: readonly StepCase[]
  readonly transaction?: Partial<TransactionSettings>
  readonly failPoint?: Document
  readonly plan?: Partial<PhasePlan>
}

export type Case = MethodCase | StepsCase

/** What can be seen of a case. */
export type Seen = { readonly outcome: unknown; readonly stored: unknown; readonly output: unknown }

/** The documents of every collection; no document may have an `n` above 99. */
export const rows: readonly Document[] = Array.from({ length: 20 }, (_, i) => ({
  _id: i,
  n: (19 - i) % 5,
  text: ['A', 'a', 'b', 'B'][i % 4],
  list: Array.from({ length: (i % 3) + 1 }, (__, k) => ({ k, v: i })),
}))

const validator = { n: { $not: { $gte: 100 } } }
export const collectionName = 'rows'
export const outputName = 'output'
export const viewName = 'view'

const databaseOf = (sender: Sender, prefix: string): string => `${prefix}_${sender}`

const methodOf = ({ kind, documentIsRead = false, ...given }: MethodCase | StepCase): MethodPlan =>
  fakeOperation({
    name: kind,
    kind,
    reply: ('reply' in given ? given.reply : undefined) ?? getOperation(kind).reply,
    collection: ('collection' in given ? given.collection : undefined) ?? collectionName,
    documentIsRead,
  })

const transaction: TransactionSettings = {
  runner: 'managed',
  maxAttempts: 5,
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority', wtimeoutMS: 10_000 },
  readPreference: { mode: 'primary' },
}

const operationOf = (one: Case): OperationPlan =>
  'steps' in one
    ? {
        name: 'steps',
        kind: 'steps',
        steps: one.steps.map(methodOf),
        ...(one.transaction && { transaction: { ...transaction, ...one.transaction } }),
      }
    : methodOf(one)

export function engineOf(sender: Sender, uri: string, database: string, plan: Partial<PhasePlan>): PhaseEngine {
  const phase = fakePhase({ deadlineMs: 30_000, ...plan })
  return sender === 'driver'
    ? createEngine({ kind: 'driver', driver: bundledDriver(), uri, database, phase })
    : createEngine({ kind: 'wire', uri, database, phase })
}

/** Arguments of a call as the sender takes them. */
export function argumentsFor(sender: Sender, { options = {}, ...args }: Given): NamedArguments {
  if (sender !== 'encoded') return { ...args, options }
  const writer = new BsonWriter()
  writer.at = headroomBytes
  const encode = (value: unknown): EncodedValue => {
    const start = writer.at
    const type = writer.value(value)
    return new EncodedValue(type, writer, start, writer.at)
  }
  const encodeAll = (values: object): Record<string, unknown> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, encode(value)]))
  const isIdentified = (options as Document)['forceServerObjectId'] !== true
  const identified = (document: unknown): unknown =>
    isIdentified ? { ...(document as Document), _id: (document as Document)['_id'] ?? new ObjectId() } : document
  const { documents, document, writes, ...others } = args
  // Documents come first, one behind the other: they are sent from where they stand.
  const list = documents?.map((one) => encode(identified(one)))
  return {
    ...(list && { documents: list }),
    ...(document !== undefined && { document: encode(identified(document)) }),
    ...(writes && {
      writes: writes.map(({ kind, namespace, fields }) => ({
        kind,
        namespace,
        fields: encodeAll('document' in fields ? { ...fields, document: identified(fields['document']) } : fields),
      })),
    }),
    ...encodeAll(others),
    // As the plan does: engines go by flags, sizes and words.
    options: Object.fromEntries(
      Object.entries(options).map(([name, value]) => [name, typeof value === 'object' ? encode(value) : value]),
    ),
  }
}

async function setUp(client: MongoClient, database: string): Promise<void> {
  const db = client.db(database)
  await db.createCollection(outputName)
  await db.createCollection(collectionName, { validator })
  await db.collection(collectionName).createIndex({ n: 1 })
  await db.createCollection(viewName, { viewOn: collectionName, pipeline: [{ $match: { n: { $gte: 2 } } }] })
}

/** Back to the first state. Quicker than new collections, for which a server waits for its disk. */
async function refill(client: MongoClient, database: string): Promise<void> {
  const db = client.db(database, { writeConcern: { w: 1 } })
  await db.collection(outputName).deleteMany({})
  await db.collection(collectionName).deleteMany({})
  await db.collection(collectionName).insertMany(structuredClone(rows) as Document[])
}

const changes = (one: Case): boolean =>
  'steps' in one || !getOperation(one.kind).reply.match(/^(document|cursor|count|values)$/)

/** Makes cases by one of the senders, each on a collection in its first state, and returns what came of them. */
export async function seenBy(
  sender: Sender,
  prefix: string,
  uri: string,
  client: MongoClient,
  cases: Readonly<Record<string, Case>>,
): Promise<ReadonlyMap<string, Seen>> {
  const database = databaseOf(sender, prefix)
  const db = client.db(database)
  const seen = new Map<string, Seen>()
  await setUp(client, database)
  let isFresh = false
  for (const [plan, names] of byPlan(cases)) {
    const planned = names.map((name) => cases[name] as Case)
    const engine = engineOf(sender, uri, database, { ...plan, operations: planned.map(operationOf) })
    await engine.warmUp()
    for (const [number, one] of planned.entries()) {
      if (!isFresh) await refill(client, database)
      isFresh = !changes(one)
      if (one.failPoint) await failCommand(client, one.failPoint)
      const outcome = await sendTo(engine, { operation: number, ...callOf(sender, one) })
      if (one.failPoint) await restore(client)
      // What is not acknowledged is done when the engine is closed.
      if (plan?.writeConcern?.w === 0) await engine.close()
      seen.set(names[number] as string, {
        outcome: comparable(one, outcome, database),
        stored: changes(one) ? await storedIn(db.collection(collectionName)) : [],
        output: changes(one) ? await storedIn(db.collection(outputName)) : [],
      })
    }
    if (plan?.writeConcern?.w !== 0) await engine.close()
  }
  return seen
}

const failCommand = (client: MongoClient, { mode = { times: 1 }, ...data }: Document): Promise<Document> =>
  client.db('admin').command({ configureFailPoint: 'failCommand', mode, data: { appName: 'mongo-perf', ...data } })

/** A transaction whose abort never arrived would be in the way. */
async function restore(client: MongoClient): Promise<void> {
  await client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' })
  await client.db('admin').command({ killAllSessions: [] })
}

function byPlan(cases: Readonly<Record<string, Case>>): ReadonlyMap<Partial<PhasePlan> | undefined, string[]> {
  const plans = new Map<Partial<PhasePlan> | undefined, string[]>()
  for (const [name, { plan }] of Object.entries(cases)) plans.set(plan, [...(plans.get(plan) ?? []), name])
  return plans
}

function callOf(sender: Sender, one: Case) {
  if (!('steps' in one)) return { args: argumentsFor(sender, one.given()), bytes: 0 }
  return {
    args: { options: {} },
    bytes: 0,
    steps: one.steps.map(
      ({ given, isSkipped }) =>
        () =>
          isSkipped === true ? undefined : { args: argumentsFor(sender, given()), bytes: 0 },
    ),
    aborts: one.steps.map(({ abort }) => abort),
  }
}

const storedIn = async (collection: ReturnType<ReturnType<MongoClient['db']>['collection']>): Promise<unknown> =>
  (await collection.find({}, { promoteValues: false, sort: { $natural: 1 } }).toArray()).map(masked)

/** Two fields that are drawn, and what the server says of the moment. */
const passing = new Set(['$clusterTime', 'operationTime', 'opTime', 'electionId', 'lsid'])

function masked(node: unknown): unknown {
  return mask(EJSON.serialize(node as Document, { relaxed: false }))
}

function mask(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(mask)
  if (typeof node !== 'object' || node === null) return node
  if ('$oid' in node) return 'an ObjectId'
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => (passing.has(key) ? [] : [[key, mask(value)]])),
  )
}

/** What becomes of the driver's own pool. */
const ofDriver: ReadonlySet<string> = new Set(['ResetPool'])

/** An outcome without what differs from call to call: identifiers that were drawn, times, and the name of the database. */
function comparable(one: Case, outcome: Outcome, database: string): unknown {
  const { reply, steps, transaction: tally, ...ending } = outcome
  const plain = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(database, 'the_database')) as unknown
  if ('onlyKind' in one && one.onlyKind !== undefined)
    return { kind: outcome.kind, reply: { ...reply, document: null } }
  const isRead = !('steps' in one) && one.documentIsRead === true
  return {
    ...ending,
    ...('message' in ending && {
      message: plainMessage(ending.message, database),
      labels: ending.labels.filter((label) => !ofDriver.has(label)),
    }),
    reply: { ...reply, document: isRead && reply.document ? plain(masked(decode(reply.document))) : null },
    ...(steps && {
      steps: steps.map(({ step, outcome: ended }, i) => ({
        step,
        outcome:
          ended && comparable({ ...(one as StepsCase).steps[i], kind: 'find', given: () => ({}) }, ended, database),
      })),
    }),
    ...(tally && { tally: { ...tally, firstTryMs: tally.firstTryMs !== null, commitMs: tally.commitMs !== null } }),
  }
}

const decode = (bytes: Uint8Array): Document => BSON.deserialize(bytes, { promoteValues: false })

/** Where in a server the time of a call expires is chance. */
const plainMessage = (message: string, database: string): string =>
  message
    .replaceAll(database, 'the_database')
    .replace(/ObjectId\('[0-9a-f]{24}'\)/g, 'an ObjectId')
    .replace(/^.* :: (?=operation exceeded time limit$)/, '')

/** A write of a bulk. */
export const write = (kind: Write['kind'], fields: Document): Write => ({ kind, namespace: undefined, fields })
