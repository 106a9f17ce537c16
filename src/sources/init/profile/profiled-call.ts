import { type BsonDocument, isDocument } from '../../../language/values/bson-types.ts'

/** A call from the profile, in the form of a spec's operation. */
export type ProfiledCall = {
  readonly collection: string
  readonly kind: string
  readonly filter?: BsonDocument
  readonly pipeline?: readonly BsonDocument[]
  /** Operators, a pipeline, or a whole document. */
  readonly update?: unknown
  readonly arrayFilters?: readonly BsonDocument[]
  /** Options that are copied unchanged. */
  readonly options: BsonDocument
  /** Number of inserted documents. */
  readonly documents?: number
  /** Whether these are later replies of a call that is counted already. */
  readonly isContinued?: boolean
  /** Documents that it returned, matched or deleted. Absent: there is no such number. */
  readonly found?: number
}

/** The reason why a call is not in the spec. */
export type Skipped = { readonly skipped: string }

/** Reads an entry of the profile. Undefined: it is not a call of a user's program. */
export function readEntry(entry: BsonDocument, database: string): ProfiledCall | Skipped | undefined {
  const { op, ns, command } = entry
  if (typeof ns !== 'string' || typeof op !== 'string' || !isDocument(command)) return undefined
  const collection = ns.slice(database.length + 1)
  if (collection === '' || collection.startsWith('system.') || collection.startsWith('$cmd')) return undefined
  if (op === 'getmore') return readGetMore(entry, database)
  if (op === 'killcursors') return undefined
  if (entry['errCode'] !== undefined) return { skipped: 'they had failed' }
  if ('$truncated' in command) return { skipped: 'the profile truncated them' }
  const [name = ''] = Object.keys(command)
  const read = op === 'insert' || op === 'update' || op === 'remove' ? readers[op] : readers[name]
  const call = read?.(command, collection, entry)
  const found = entry['ndeleted'] ?? entry['nMatched'] ?? entry['nreturned']
  return call === undefined || 'skipped' in call || !counted.test(call.kind) || found === undefined
    ? call
    : { ...call, found: Number(found) }
}

/** Kinds of calls of which the profile has the same number of documents as a result. */
const counted = /^(find|aggregate|update|replace|delete)/

/** The documents of later replies belong to the call that opened the cursor. */
function readGetMore(entry: BsonDocument, database: string): ProfiledCall | Skipped | undefined {
  const { originatingCommand: command, nreturned, ns } = entry
  const read = isDocument(command) ? readEntry({ op: 'query', ns, command, nreturned }, database) : undefined
  return read === undefined || 'skipped' in read ? undefined : { ...read, isContinued: true }
}

type Reader = (command: BsonDocument, collection: string, entry: BsonDocument) => ProfiledCall | Skipped | undefined

const document = (value: unknown): BsonDocument => (isDocument(value) ? value : {})

function chosen(command: BsonDocument, names: readonly string[]): BsonDocument {
  return Object.fromEntries(names.flatMap((name) => (command[name] === undefined ? [] : [[name, command[name]]])))
}

const isReplacement = (update: unknown): boolean =>
  isDocument(update) && !Object.keys(update).some((key) => key.startsWith('$'))

/** Readers by the name of the command, or the profile's `op` of a write. A new command is one entry. */
const readers: Readonly<Record<string, Reader>> = {
  find(command, collection) {
    const options = chosen(command, ['sort', 'projection', 'skip', 'hint', 'collation'])
    const filter = document(command['filter'])
    if (command['singleBatch'] === true && Number(command['limit']) === 1)
      return { collection, kind: 'findOne', filter, options }
    return { collection, kind: 'find', filter, options: { ...options, ...chosen(command, ['limit', 'batchSize']) } }
  },
  aggregate(command, collection) {
    const pipeline = Array.isArray(command['pipeline']) ? (command['pipeline'] as unknown[]).map(document) : []
    const [match = {}, ...rest] = '$match' in (pipeline[0] ?? {}) ? pipeline : [{}, ...pipeline]
    if (rest.length === 1 && isCount(document(rest[0]?.['$group'])))
      return {
        collection,
        kind: 'countDocuments',
        filter: document(match['$match']),
        options: chosen(command, ['hint']),
      }
    return { collection, kind: 'aggregate', pipeline, options: chosen(command, ['hint', 'collation', 'allowDiskUse']) }
  },
  count(command, collection) {
    const filter = document(command['query'])
    return Object.keys(filter).length === 0
      ? { collection, kind: 'estimatedDocumentCount', options: {} }
      : { collection, kind: 'countDocuments', filter, options: chosen(command, ['limit', 'skip', 'hint']) }
  },
  distinct: (command, collection) => ({
    collection,
    kind: 'distinct',
    filter: document(command['query']),
    options: chosen(command, ['key', 'collation']),
  }),
  update(command, collection) {
    const { q, u, multi, upsert } = command
    const kind = isReplacement(u) ? 'replaceOne' : multi === true ? 'updateMany' : 'updateOne'
    const options = { ...(upsert === true ? { upsert } : {}), ...chosen(command, ['collation', 'hint']) }
    return { collection, kind, filter: document(q), update: u, ...readArrayFilters(command), options }
  },
  findAndModify(command, collection) {
    const { update, upsert, remove } = command
    const filter = document(command['query'])
    if (remove === true)
      return { collection, kind: 'findOneAndDelete', filter, options: chosen(command, ['sort', 'collation']) }
    const options = {
      ...chosen(command, ['sort', 'collation']),
      ...(upsert === true ? { upsert } : {}),
      ...(command['new'] === true ? { returnDocument: 'after' } : {}),
    }
    const kind = isReplacement(update) ? 'findOneAndReplace' : 'findOneAndUpdate'
    return { collection, kind, filter, update, ...readArrayFilters(command), options }
  },
  insert(_command, collection, entry) {
    const documents = Number(entry['ninserted'] ?? 1)
    return { collection, kind: documents > 1 ? 'insertMany' : 'insertOne', documents, options: {} }
  },
  remove: (command, collection) => ({
    collection,
    kind: Number(command['limit']) === 1 ? 'deleteOne' : 'deleteMany',
    filter: document(command['q']),
    options: chosen(command, ['collation', 'hint']),
  }),
}

const readArrayFilters = ({ arrayFilters }: BsonDocument): Pick<ProfiledCall, 'arrayFilters'> =>
  Array.isArray(arrayFilters) ? { arrayFilters: (arrayFilters as unknown[]).map(document) } : {}

/** Whether a `$group` stage is that of the driver's `countDocuments`. */
const isCount = ({ _id, n }: BsonDocument): boolean => Number(_id) === 1 && Number(document(n)['$sum']) === 1
