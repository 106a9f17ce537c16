import {
  type AnyBulkWriteOperation,
  type AnyClientBulkWriteModel,
  type BulkWriteOptions,
  type ClientBulkWriteOptions,
  type Collection,
  type Db,
  type Document,
  type MongoClient,
} from 'mongodb'
import { type EngineMethod } from '../engine.ts'
import { type ArgumentName, type MethodKind, type Namespace, type Write } from '../intent.ts'
import { type FunctionValues, type OperationFunctions } from '../operation-functions.ts'
import { openBucket } from './bucket.ts'
import { type DriverModule } from './client-options.ts'

/** Context in which an operation's calls are made. */
export type CallContext = {
  readonly driver: DriverModule
  readonly client: MongoClient
  /** Database whose concerns the calls are sent with. */
  readonly database: Db
  readonly functions: OperationFunctions
  /** Makes a client of its own, with the options of the phase. Absent: nothing connects. */
  readonly openClient?: () => MongoClient
}

/** The object whose method makes the calls of an operation. Collections take their concerns from the database. */
export function getCallOwner(method: EngineMethod, context: CallContext): object {
  const { driver, client, database } = context
  const { kind, collection } = method
  switch (driverMethods[kind].on) {
    case 'collection':
      return kind === 'bulkWrite' ? createWriter(database.collection(collection)) : database.collection(collection)
    case 'database':
      return createCommandRunner(database)
    case 'client':
      return createClientWriter(client, database)
    case 'bucket':
      return openBucket(driver, database, collection)
    case 'functions':
      return createFunctionCaller(method, context)
    case 'connections':
      return createConnector(context)
  }
}

const createWriter = (collection: Collection) => ({
  bulkWrite: (writes: readonly Write[], options: BulkWriteOptions) =>
    collection.bulkWrite(writes.map(toOperation), options),
})

function toOperation({ kind, fields }: Write): AnyBulkWriteOperation<Document> {
  const operation: Document = { [kind]: fields }
  return operation as AnyBulkWriteOperation<Document>
}

/** A database hands nothing down to its commands, so the phase's read preference goes with each. */
const createCommandRunner = (database: Db) => ({
  command: (command: Document, options: object) =>
    database.command(command, { ...options, readPreference: database.readPreference }),
})

/** A client knows only the write concern of its URI, so the phase's goes with each call. */
const createClientWriter = (client: MongoClient, database: Db) => ({
  bulkWrite: (writes: readonly Write[], options: ClientBulkWriteOptions) =>
    client.bulkWrite(
      writes.map((write) => toModel(write, database)),
      { ...options, ...(database.writeConcern && { writeConcern: database.writeConcern }) },
    ),
})

const toModel = ({ kind, namespace, fields }: Write, database: Db): AnyClientBulkWriteModel<Document> =>
  ({ ...fields, name: kind, namespace: fullName(namespace, database) }) as AnyClientBulkWriteModel<Document>

function createFunctionCaller(
  { function: name = '', collection }: EngineMethod,
  { client, database: db, functions }: CallContext,
) {
  const own = functions[name]
  // The spec is checked before.
  if (own === undefined) throw new Error(`There is no function "${name}"`)
  const on = { client, db, collection: collection === '' ? undefined : db.collection(collection) }
  return { call: (given: FunctionValues) => own(on as never, given) }
}

const createConnector = ({ openClient }: CallContext) => ({
  async connect() {
    const client = openClient?.()
    try {
      await client?.db('admin').command({ ping: 1 })
    } finally {
      await client?.close()
    }
  },
})

/** The name of the run's database is not in the plan. */
const fullName = (namespace: Namespace | undefined, ofRun: Db): string =>
  `${namespace?.database ?? ofRun.databaseName}.${namespace?.collection ?? ''}`

/** Owner of a driver method; functions are handed in. */
export type MethodOwner = 'collection' | 'database' | 'client' | 'bucket' | 'functions' | 'connections'

/** A method of the driver: its owner, its name and its arguments. */
export type DriverMethod = {
  readonly on: MethodOwner
  readonly name: string
  /** Its arguments in their order; its options come last. */
  readonly takes: readonly ArgumentName[]
}

const onCollection = (name: string, ...takes: readonly ArgumentName[]): DriverMethod => ({
  on: 'collection',
  name,
  takes,
})

export const driverMethods: Readonly<Record<MethodKind, DriverMethod>> = {
  insertOne: onCollection('insertOne', 'document'),
  insertMany: onCollection('insertMany', 'documents'),
  findOne: onCollection('findOne', 'filter'),
  find: onCollection('find', 'filter'),
  aggregate: onCollection('aggregate', 'pipeline'),
  countDocuments: onCollection('countDocuments', 'filter'),
  estimatedDocumentCount: onCollection('estimatedDocumentCount'),
  distinct: onCollection('distinct', 'key', 'filter'),
  updateOne: onCollection('updateOne', 'filter', 'update'),
  updateMany: onCollection('updateMany', 'filter', 'update'),
  replaceOne: onCollection('replaceOne', 'filter', 'replacement'),
  deleteOne: onCollection('deleteOne', 'filter'),
  deleteMany: onCollection('deleteMany', 'filter'),
  findOneAndUpdate: onCollection('findOneAndUpdate', 'filter', 'update'),
  findOneAndReplace: onCollection('findOneAndReplace', 'filter', 'replacement'),
  findOneAndDelete: onCollection('findOneAndDelete', 'filter'),
  bulkWrite: onCollection('bulkWrite', 'writes'),
  clientBulkWrite: { on: 'client', name: 'bulkWrite', takes: ['writes'] },
  command: { on: 'database', name: 'command', takes: ['command'] },
  connect: { on: 'connections', name: 'connect', takes: [] },
  gridfsUpload: { on: 'bucket', name: 'openUploadStream', takes: ['filename'] },
  gridfsDownload: { on: 'bucket', name: 'openDownloadStream', takes: ['filename'] },
  function: { on: 'functions', name: 'call', takes: ['with'] },
}
