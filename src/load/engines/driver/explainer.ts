import { EJSON } from 'bson'
import type { Collection, Document, ExplainCommandOptions } from 'mongodb'
import type { CallWork } from '../../../metrics/work.ts'
import { countReplies } from '../../measure/call-work.ts'
import type { PhasePlan } from '../../plan/plan.ts'
import { resolveConcerns } from '../concerns.ts'
import type { EngineMethod } from '../engine.ts'
import type { ArgumentName, MethodKind, NamedArguments } from '../intent.ts'
import { replyTraits } from '../reply-traits.ts'
import { type CommandWatch, watchCommands } from '../watch-commands.ts'
import { type DriverModule, createClient, toDbOptions, toReadPreference } from './client-options.ts'
import { createRunner } from './replies.ts'

/** Asks the server how it would make a call, and what a call returns. Nothing is written. */
export type Explainer = {
  /** @throws what the driver throws. */
  readonly explain: (method: EngineMethod, args: NamedArguments) => Promise<Document>
  /**
   * Counts the commands of a call and what they return. Reads are made again for that; a write that has a plan is one command.
   * @throws what the driver throws.
   */
  readonly count: (method: EngineMethod, args: NamedArguments) => Promise<CountedReplies>
  /** Runs a pipeline. @returns the `_id`s of its documents, as Extended JSON. @throws what the driver throws. */
  readonly findIds: (method: EngineMethod, args: NamedArguments) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/** Work of a call in addition to what it examines. Null: not known. */
export type CountedReplies = Pick<CallWork, 'docsReturned' | 'bytesReturned' | 'commands' | 'roundTrips'>

/** Neither engine splits a write that has a plan. */
const oneWrite: CountedReplies = { docsReturned: null, bytesReturned: null, commands: 1, roundTrips: 1 }

/** The arguments as the driver takes them. */
type Given = { readonly [Name in ArgumentName | 'options']?: Document }

type Explain = (collection: Collection, args: Given, as: ExplainCommandOptions) => Promise<unknown>

/** How to ask for the plan of each kind that has one. */
const explains: Readonly<Partial<Record<MethodKind, Explain>>> = {
  find: (collection, { filter = {}, options }, as) => collection.find(filter, options).explain(as),
  findOne: (collection, { filter = {}, options }, as) => collection.find(filter, { ...options, limit: 1 }).explain(as),
  aggregate: (collection, { pipeline, options }, as) =>
    collection.aggregate(pipeline as Document[], options).explain(as),
  // The driver counts with a pipeline, which it does not explain.
  countDocuments: (collection, { filter, options: { skip, limit, ...options } = {} }, as) =>
    collection
      .aggregate(
        [
          { $match: filter },
          ...(skip === undefined ? [] : [{ $skip: skip }]),
          ...(limit === undefined ? [] : [{ $limit: limit }]),
          { $group: { _id: 1, n: { $sum: 1 } } },
        ],
        options,
      )
      .explain(as),
  distinct: (collection, { key, filter = {}, options }, as) =>
    collection.distinct(String(key), filter, { ...options, explain: as }),
  updateOne: (collection, { filter = {}, update = {}, options }, as) =>
    collection.updateOne(filter, update, { ...options, explain: as }),
  updateMany: (collection, { filter = {}, update = {}, options }, as) =>
    collection.updateMany(filter, update, { ...options, explain: as }),
  // The driver does not explain it; to put another document there has the same plan, however that is written.
  replaceOne: (collection, { filter = {}, replacement, options }, as) =>
    collection.updateOne(filter, [{ $replaceWith: { $literal: replacement } }], { ...options, explain: as }),
  deleteOne: (collection, { filter, options }, as) => collection.deleteOne(filter, { ...options, explain: as }),
  deleteMany: (collection, { filter, options }, as) => collection.deleteMany(filter, { ...options, explain: as }),
  findOneAndUpdate: (collection, { filter = {}, update = {}, options }, as) =>
    collection.findOneAndUpdate(filter, update, { ...options, ...whole, explain: as }),
  findOneAndReplace: (collection, { filter = {}, replacement = {}, options }, as) =>
    collection.findOneAndReplace(filter, replacement, { ...options, ...whole, explain: as }),
  findOneAndDelete: (collection, { filter = {}, options }, as) =>
    collection.findOneAndDelete(filter, { ...options, ...whole, explain: as }),
}

/** The driver would look for a document in the answer. */
const whole = { includeResultMetadata: true } as const

export const canExplain = ({ kind, reply }: EngineMethod): boolean =>
  replyTraits[reply].canExplain && Object.hasOwn(explains, kind)

const maxSelectionMs = 5_000
const maxAnswerMs = 10_000
/** Where it is not enough, the server still answers with the plan. */
const maxExecutionMs = 5_000

/** With a client of its own, so that the connections that are measured are used for nothing else. */
export function createExplainer({
  driver,
  uri,
  database: databaseName,
  phase,
}: {
  readonly driver: DriverModule
  /** A secret: appears in no message. */
  readonly uri: string
  readonly database: string
  readonly phase: PhasePlan
}): Explainer {
  const client = createClient(driver, uri, {
    minPoolSize: 0,
    maxPoolSize: 1,
    serverSelectionTimeoutMS: maxSelectionMs,
    connectTimeoutMS: maxSelectionMs,
    socketTimeoutMS: maxAnswerMs,
    // The URI may ask for no answers.
    writeConcern: { w: 1 },
    monitorCommands: true,
  })
  let watching: Promise<CommandWatch> | undefined
  const collectionOf = (method: EngineMethod): Collection => {
    const readPreference = replyTraits[method.reply].reads
      ? toReadPreference(driver, resolveConcerns(method, phase))
      : driver.ReadPreference.primary
    return client.db(method.database ?? databaseName).collection(method.collection, { readPreference })
  }
  return {
    async count(planned, args) {
      const method = { ...planned, ...args.namespace }
      if (replyTraits[method.reply].writes) return oneWrite
      watching ??= watchCommands(client)
      const watch = await watching
      const concerns = toDbOptions(driver, method.reply, resolveConcerns(method, phase))
      const database = client.db(method.database ?? databaseName, concerns)
      const call = createRunner(method, { driver, client, database, functions: {} })
      await watch.run(() => call(args, { abandoned: false }))
      return countReplies(watch.take())
    },
    async explain(planned, args) {
      const method = { ...planned, ...args.namespace }
      const ask = explains[method.kind]
      if (ask === undefined) throw new RangeError(`A call of ${method.kind} has no plan`)
      return (await ask(collectionOf(method), args as Given, {
        verbosity: 'executionStats',
        maxTimeMS: maxExecutionMs,
      })) as Document
    },
    async findIds(planned, args) {
      const { pipeline, options } = args as Given
      const found = collectionOf({ ...planned, ...args.namespace }).aggregate(pipeline as Document[], options)
      return (await found.toArray()).map(({ _id }) => EJSON.stringify(_id))
    },
    async close() {
      await watching?.then(
        (watch) => watch[Symbol.asyncDispose](),
        () => undefined,
      )
      await client.close(true)
    },
  }
}
