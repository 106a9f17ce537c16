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
import { type Namespace, type Write } from '../intent.ts'
import { type FunctionValues, type OperationFunctions } from '../operation-functions.ts'
import { openBucket } from './bucket.ts'
import { type DriverModule } from './create-client.ts'
import { driverMethods } from './methods.ts'

/** What the calls of an operation are made with. */
export type CallContext = {
  readonly driver: DriverModule
  readonly client: MongoClient
  /** Whose concerns the calls are sent with. */
  readonly database: Db
  readonly functions: OperationFunctions
}

/** The object whose method makes the calls of an operation. Collections take their concerns from the database. */
export function ownerOf(method: EngineMethod, context: CallContext): object {
  const { driver, client, database } = context
  const { kind, collection } = method
  switch (driverMethods[kind].on) {
    case 'collection':
      return kind === 'bulkWrite' ? writerOf(database.collection(collection)) : database.collection(collection)
    case 'database':
      return commandsOf(database)
    case 'client':
      return clientWriterOf(client, database)
    case 'bucket':
      return openBucket(driver, database, collection)
    case 'functions':
      return callerOf(method, context)
  }
}

const writerOf = (collection: Collection) => ({
  bulkWrite: (writes: readonly Write[], options: BulkWriteOptions) =>
    collection.bulkWrite(writes.map(toOperation), options),
})

function toOperation({ kind, fields }: Write): AnyBulkWriteOperation<Document> {
  const operation: Document = { [kind]: fields }
  return operation as AnyBulkWriteOperation<Document>
}

/** A database hands nothing down to its commands, so the phase's read preference goes with each. */
const commandsOf = (database: Db) => ({
  command: (command: Document, options: object) =>
    database.command(command, { ...options, readPreference: database.readPreference }),
})

/** A client knows only the write concern of its URI, so the phase's goes with each call. */
const clientWriterOf = (client: MongoClient, database: Db) => ({
  bulkWrite: (writes: readonly Write[], options: ClientBulkWriteOptions) =>
    client.bulkWrite(
      writes.map((write) => toModel(write, database)),
      { ...options, ...(database.writeConcern && { writeConcern: database.writeConcern }) },
    ),
})

const toModel = ({ kind, namespace, fields }: Write, database: Db): AnyClientBulkWriteModel<Document> =>
  ({ ...fields, name: kind, namespace: fullName(namespace, database) }) as AnyClientBulkWriteModel<Document>

function callerOf({ function: name = '', collection }: EngineMethod, { client, database: db, functions }: CallContext) {
  const own = functions[name]
  // The spec is checked before.
  if (own === undefined) throw new Error(`There is no function "${name}"`)
  const on = { client, db, collection: collection === '' ? undefined : db.collection(collection) }
  return { call: (given: FunctionValues) => own(on as never, given) }
}

/** The name of the run's database is not in the plan. */
const fullName = (namespace: Namespace | undefined, ofRun: Db): string =>
  `${namespace?.database ?? ofRun.databaseName}.${namespace?.collection ?? ''}`
