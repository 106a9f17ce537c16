import { type Collection, type Db, type DbOptions, type MongoClient } from 'mongodb'
import { Problem } from '../../../core/errors.ts'
import { type CommandClient } from '../../../load/engines/watch-commands.ts'
import { testServer } from '../test-server.ts'

/** Argument of a measured function: a `MongoClient`, a `Db`, a `Collection` or a connection of mongoose, of any version. */
export type Subject = object

/** Database that calls are made on. */
export type OpenSubject<On> = AsyncDisposable & {
  /** Client used while its commands are observed. */
  readonly watched: On
  /** Client used for timed calls. */
  readonly timed: On
  readonly client: CommandClient
}

/** A place of the caller's: nothing is opened, and nothing is closed. */
export function wrapPlace<On extends Subject>(on: On): OpenSubject<On> {
  return { watched: on, timed: on, client: resolveClient(on), [Symbol.asyncDispose]: async () => {} }
}

/**
 * Databases of our driver, on a server that a URI names or that is started: one for each of the two, because a driver that reports its commands
 * takes longer for each.
 * @param uri Default: the server of this suite. Where it names no database, functions get "test", as drivers have it.
 */
export async function openDatabase(uri?: string): Promise<OpenSubject<Db>> {
  const { MongoClient: Client } = await import('mongodb')
  const address = uri ?? (await testServer()).uri
  const open = (monitorCommands: boolean): MongoClient => new Client(address, { monitorCommands })
  const [watching, timing] = [open(true), open(false)]
  return {
    watched: watching.db(),
    timed: timing.db(),
    client: watching,
    async [Symbol.asyncDispose]() {
      await Promise.all([watching.close(), timing.close()])
    },
  }
}

/**
 * The client behind a place.
 * @throws {Problem} "usage", when there is none.
 */
export function resolveClient(subject: Subject): CommandClient {
  const behind = 'getClient' in subject && typeof subject.getClient === 'function' ? subject.getClient() : undefined
  const found = behind ?? ('client' in subject ? subject.client : (findInside(subject) ?? subject))
  if (isClient(found)) return found
  throw new Problem('usage', '"on" is neither a MongoClient, a Db, a Collection nor a URI', {
    hint: 'Pass what the measured function works with. Without it, a server is started.',
  })
}

/** The client of a database or a collection of the driver 4, which has it among its private state alone. */
function findInside(subject: Subject): unknown {
  const { s } = subject as { readonly s?: { readonly client?: unknown; readonly db?: Subject } }
  return s?.client ?? (s?.db === undefined ? undefined : findInside(s.db))
}

const isClient = (value: unknown): value is CommandClient =>
  typeof value === 'object' &&
  value !== null &&
  ['on', 'off', 'db'].every((name) => typeof (value as Record<string, unknown>)[name] === 'function')

/** Collection and database of the calls of an operation. Its types are those of our driver, whichever it comes from. */
export type OperationSubject = {
  readonly client: MongoClient
  /** With the concerns of the place. */
  readonly database: Db
  /** Its name. Undefined: the place is no collection. */
  readonly collection: string | undefined
}

/** Returns the target of the calls of an operation: the collection, or the database, which of a client is the one that its URI names. */
export function toOperationPlace(subject: Subject): OperationSubject {
  const client = resolveClient(subject) as unknown as MongoClient
  if ('collectionName' in subject) {
    const { collectionName, dbName, readConcern, writeConcern, readPreference, bsonOptions } = subject as Collection
    const settings = { ...bsonOptions, readConcern, writeConcern, readPreference } as DbOptions
    return { client, database: client.db(dbName, settings), collection: collectionName }
  }
  if ('databaseName' in subject) return { client, database: subject as Db, collection: undefined }
  // A connection of mongoose has its database as a field.
  const own = 'db' in subject && typeof subject.db === 'object' ? (subject.db as Db | null) : null
  return { client, database: own ?? client.db(), collection: undefined }
}
