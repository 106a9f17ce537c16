import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { readingCommands } from '../../spec/operations/command.ts'
import { recordedDatabase, Unsupported } from './recorded.ts'

/** An operation of benchRun as one of a spec, with templates still in its values. */
export type Call = {
  readonly kind: string
  /** Fields that are values, in the order in which benchRun evaluates them. */
  readonly values: JsonObject
  /** Other fields. */
  readonly plain: JsonObject
}

/** A variable of a test, made once a round. */
export type Let = { readonly kind: 'let'; readonly target: string; readonly value: Json }

/** Whether a part of a test is a variable. */
export const isLet = (part: Call | Let): part is Let => part.kind === 'let'

/** Maximum number of documents that a bulk write may list. */
const maxListed = 1000

/** Names of the test's own collection and database, which the official runner puts in. */
function expandNames(json: Json, collection: string): Json {
  if (typeof json === 'string')
    return json.replace(/^#B_(COLL|NS|DB)/, (_whole, what: string) =>
      what === 'COLL' ? collection : what === 'DB' ? recordedDatabase : `${recordedDatabase}.${collection}`,
    )
  if (Array.isArray(json)) return (json as readonly Json[]).map((item) => expandNames(item, collection))
  if (!isObject(json)) return json
  return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, expandNames(item, collection)]))
}

/** Fields of an operation that change how benchRun sends it or counts its errors, and not what the server does. */
const ofSending: ReadonlySet<string> = new Set([
  'op',
  'ns',
  'writeCmd',
  'readCmd',
  'safe',
  'w',
  'j',
  'writeConcern',
  'showError',
  'showResult',
  'handleError',
  'throwGLE',
  'context',
])

type Reader = { readonly fields: readonly string[]; readonly read: (op: JsonObject) => Call | Let }

const call = (kind: string, values: JsonObject, plain: JsonObject = {}): Call => ({ kind, values, plain })

/** Old servers took a sort inside of the query. */
function requirePlainFilter(query: Json = {}): Json {
  if (isObject(query) && Object.hasOwn(query, '$query')) throw new Unsupported('$query in a query')
  return query
}

const find: Reader = {
  fields: ['query', 'filter', 'sort', 'skip', 'limit', 'batchSize', 'expected', 'hint'],
  read: ({ query, filter, sort, skip, limit, batchSize, expected, hint }) =>
    call(
      'find',
      { filter: requirePlainFilter(query) },
      present({ projection: filter, sort, skip, limit, batchSize, hint, expectDocuments: expected }),
    ),
}

const remove: Reader = {
  fields: ['query', 'multi'],
  read: ({ query = {}, multi }) => call(isTrue(multi) ? 'deleteMany' : 'deleteOne', { filter: query }),
}

/** Operations of benchRun by name. */
const readers: Readonly<Record<string, Reader>> = {
  find,
  query: find,
  findOne: {
    fields: ['query', 'filter', 'sort', 'skip', 'hint'],
    read: ({ query, filter, sort, skip, hint }) =>
      call('findOne', { filter: requirePlainFilter(query) }, present({ projection: filter, sort, skip, hint })),
  },
  insert: { fields: ['doc'], read: ({ doc = {} }) => readInsert(doc) },
  update: {
    fields: ['query', 'update', 'multi', 'upsert'],
    read: ({ query = {}, update = {}, multi, upsert }) => readUpdate(query, update, isTrue(multi), { upsert }),
  },
  remove,
  delete: remove,
  command: { fields: ['command'], read: ({ command = {} }) => readCommand(command) },
  let: {
    fields: ['target', 'value'],
    read: ({ target = '', value = null }) => ({ kind: 'let', target: String(target), value }),
  },
}

const isTrue = (json: Json | undefined): boolean => json !== undefined && json !== false && json !== 0 && json !== null

/** The fields that are given. Options of a spec are plain numbers, whatever their type in the shell. */
const present = (fields: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field === undefined ? [] : [[name, plainNumber(field)]])),
  )

function plainNumber(json: Json): Json {
  const [type, content] = isObject(json) ? (Object.entries(json)[0] ?? []) : []
  return type?.startsWith('$number') ? Number(content) : json
}

/**
 * Reads an operation of a test.
 * @param collection Name of the test's collection.
 * @throws {Unsupported} with the name of what a spec cannot express.
 */
export function readOp(written: JsonObject, collection: string): Call | Let {
  const op = expandNames(written, collection) as JsonObject
  const name = String(op['op'])
  const reader = readers[name]
  if (!reader) throw new Unsupported(`the operation ${name}`)
  const other = Object.keys(op).find((key) => !ofSending.has(key) && !reader.fields.includes(key))
  if (other !== undefined) throw new Unsupported(`"${other}" of the operation ${name}`)
  const part = reader.read(op)
  if (isLet(part)) return part
  const ns = op['ns'] ?? `${recordedDatabase}.${collection}`
  return { ...part, plain: { ...resolveCallCollection(String(ns), part, collection), ...part.plain } }
}

/** The collection of a call. Commands name theirs themselves. */
function resolveCallCollection(ns: string, { kind, plain }: Call, collection: string): JsonObject {
  const [database, ...names] = ns.split('.')
  if (database !== recordedDatabase) throw new Unsupported(`the namespace ${ns}`)
  if (kind === 'command' || plain['collection'] !== undefined) return {}
  return { collection: names.length === 0 ? collection : names.join('.') }
}

const writes: ReadonlySet<Json | undefined> = new Set(['insert', 'update', 'remove', 'delete'])

/**
 * The write concern that all writes of a test have, as part of a phase.
 * @throws {Unsupported} where they differ.
 */
export function findCommonWriteConcern(ops: readonly JsonObject[]): JsonObject {
  const [first, ...others] = ops.filter(({ op }) => writes.has(op)).map(({ writeConcern }) => writeConcern)
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first)))
    throw new Unsupported('different write concerns in one test')
  if (!isObject(first ?? null)) return {}
  const { wtimeout: wtimeoutMS, ...concern } = first as JsonObject
  return { writeConcern: present({ w: 1, ...concern, wtimeoutMS }) }
}

function readInsert(doc: Json): Call {
  if (!Array.isArray(doc)) return call('insertOne', { document: doc })
  const documents = doc as readonly Json[]
  const [first = {}] = documents
  const isOneKind = documents.every((other) => JSON.stringify(other) === JSON.stringify(first))
  // A sequence counts documents, and the round of a worker only calls.
  if (isOneKind && !JSON.stringify(first).includes('"#SEQ_INT"'))
    return call('insertMany', { document: first }, { documentsPerCall: documents.length })
  if (documents.length > maxListed) throw new Unsupported(`an insert of ${documents.length} different documents`)
  return call('bulkWrite', { operations: documents.map((document) => ({ insertOne: { document } })) })
}

function readUpdate(
  filter: Json,
  update: Json,
  isMulti: boolean,
  options: Readonly<Record<string, Json | undefined>>,
): Call {
  const plain = present({ ...options, upsert: options['upsert'] === undefined ? undefined : isTrue(options['upsert']) })
  const isReplacement = isObject(update) && !Object.keys(update)[0]?.startsWith('$')
  if (isReplacement && isMulti) throw new Unsupported('a replacement of many documents')
  if (isReplacement) return call('replaceOne', { filter, replacement: update }, plain)
  return call(isMulti ? 'updateMany' : 'updateOne', { filter, update }, plain)
}

/** Commands that a spec has as operations of their own, under their names in small letters. */
const commands: Readonly<Record<string, (command: JsonObject) => Call>> = {
  aggregate({ aggregate, pipeline = [], cursor, ...options }) {
    const { batchSize } = isObject(cursor) ? cursor : {}
    return call('aggregate', { pipeline }, present({ collection: aggregate, batchSize, ...options }))
  },
  find({ find: collection, filter = {}, ...options }) {
    return call('find', { filter }, present({ collection, ...options }))
  },
  findandmodify({ query = {}, update, remove: removes, new: isAfter, fields, ...command }) {
    const { findAndModify, findandmodify, upsert, ...options } = command
    const plain = present({ collection: findAndModify ?? findandmodify, projection: fields, ...options })
    if (isTrue(removes)) return call('findOneAndDelete', { filter: query }, plain)
    const returned = isTrue(isAfter) ? { returnDocument: 'after' } : {}
    const changed = readUpdate(query, update ?? {}, false, { ...plain, ...returned, upsert })
    return { ...changed, kind: changed.kind === 'replaceOne' ? 'findOneAndReplace' : 'findOneAndUpdate' }
  },
  insert({ insert, documents = [], ...options }) {
    const inserted = readInsert(documents)
    return { ...inserted, plain: present({ collection: insert, ...inserted.plain, ...options }) }
  },
}

function readCommand(command: Json): Call {
  const name = isObject(command) ? (Object.keys(command)[0] ?? '') : ''
  const read = commands[name.toLowerCase()]
  if (read) return read(command as JsonObject)
  if ((readingCommands as readonly string[]).includes(name)) return call('command', { command })
  throw new Unsupported(`the command ${name}`)
}
