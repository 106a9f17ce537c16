import { type BsonDocument, isDocument } from '../../../language/values/bson-types.ts'

/** A command in the form of a spec's operation. */
type ReadCommand = {
  readonly kind: string
  readonly filter?: BsonDocument
  readonly pipeline?: readonly BsonDocument[]
  /** Operators, a pipeline, or a whole document. */
  readonly update?: unknown
  readonly arrayFilters?: readonly BsonDocument[]
  /** Options under their names in a spec. */
  readonly options: BsonDocument
  readonly documents?: number
}

export type ProfiledCall = ReadCommand & {
  readonly collection: string
  /** Options of the command that an operation does not have, or cannot have here. */
  readonly dropped: readonly string[]
  /** Whether these are later replies of a call that is counted already. */
  readonly isContinued?: boolean
  /** Documents that it returned, matched or deleted. Absent: there is no such number. */
  readonly found?: number
}

/** The reason why a call is not in the spec, and the kind of its operation, or the name of its command. */
export type Skipped = { readonly skipped: string; readonly kind: string }

/** Reads an entry of the profile. Undefined: it is not a call of a user's program. */
export function readEntry(entry: BsonDocument, database: string): ProfiledCall | Skipped | undefined {
  const { op, ns, command } = entry
  if (typeof ns !== 'string' || typeof op !== 'string' || !isDocument(command)) return undefined
  const collection = ns.slice(database.length + 1)
  if (/^($|system\.|\$cmd)/.test(collection) || op === 'killcursors') return undefined
  if (op === 'getmore') return readGetMore(entry, database)
  const read = readCommand(op, command, entry)
  if ('skipped' in read) return read
  if (entry['errCode'] !== undefined) return { skipped: 'they had failed', kind: read.kind }
  return { collection, ...read, ...readFound(read, entry) }
}

function readCommand(
  op: string,
  command: BsonDocument,
  entry: BsonDocument,
): Omit<ProfiledCall, 'collection'> | Skipped {
  const [name = ''] = Object.keys(command)
  if ('$truncated' in command) return { skipped: 'the profile truncated them', kind: 'truncated' }
  if (/^(update|remove)$/.test(op) && !('q' in command))
    return { skipped: 'they are single writes of a bulkWrite', kind: 'bulkWrite' }
  const key = /^(insert|update|remove)$/.test(op) ? op : name.toLowerCase()
  const read = Object.hasOwn(readers, key) ? readers[key] : undefined
  if (read === undefined) return { skipped: `a spec has no operation for "${name}"`, kind: name }
  // Names of the spec, and not values of the server, are what `$$` refers to in an operation.
  if (!isDefault(command['let'])) return { skipped: 'they use "let"', kind: name }
  const dropped = Object.keys(command).filter((one) => one !== name && isDropped(one, command[one]))
  return { ...read(command, entry), dropped }
}

function readFound({ kind }: ReadCommand, entry: BsonDocument): Pick<ProfiledCall, 'found'> {
  const found = entry['ndeleted'] ?? entry['nMatched'] ?? entry['nreturned']
  return counted.test(kind) && found !== undefined ? { found: Number(found) } : {}
}

/** Fields of commands that readers take, or that change nothing about the work of a call. Others are noted. */
const taken: ReadonlySet<string> = new Set(
  `filter query q u pipeline cursor update remove new fields multi upsert arrayFilters documents ordered key sort projection skip limit
  batchSize singleBatch hint collation comment maxTimeMS allowDiskUse lsid txnNumber startTransaction autocommit apiVersion apiStrict apiDeprecationErrors`.split(
    /\s+/,
  ),
)

const isDropped = (key: string, value: unknown): boolean => !taken.has(key) && !key.startsWith('$') && !isDefault(value)

/** Kinds of calls of which the profile has the same number of documents as a result. */
const counted = /^(find|aggregate|update|replace|delete)/

/** The documents of later replies belong to the call that opened the cursor. */
function readGetMore(entry: BsonDocument, database: string): ProfiledCall | Skipped | undefined {
  const { originatingCommand: command, nreturned, ns } = entry
  const read = isDocument(command) ? readEntry({ op: 'query', ns, command, nreturned }, database) : undefined
  return read === undefined || 'skipped' in read ? undefined : { ...read, isContinued: true }
}

type Reader = (command: BsonDocument, entry: BsonDocument) => ReadCommand

const document = (value: unknown): BsonDocument => (isDocument(value) ? value : {})

/** The options of these names that a command has. Those that change nothing are left out. */
const chosen = (command: BsonDocument, names: readonly string[]): BsonDocument =>
  Object.fromEntries(names.flatMap((name) => (isDefault(command[name], name) ? [] : [[name, command[name]]])))

/** Some drivers and shells send options that are false or empty. Servers use the disk unless they are to leave it. */
const isDefault = (value: unknown, name = ''): boolean =>
  value === undefined ||
  value === null ||
  (value === false && name !== 'allowDiskUse') ||
  (isDocument(value) && Object.keys(value).length === 0)

const isReplacement = (update: unknown): boolean =>
  isDocument(update) && !Object.keys(update).some((key) => key.startsWith('$'))

/** Options of all reads, under their names in commands and in specs. */
const ofReads = ['hint', 'collation', 'maxTimeMS'] as const
const ofFinds = ['sort', 'projection', 'skip', 'allowDiskUse'] as const

/** Readers by the name of the command in lower case, as servers take some of them too, or the profile's `op` of a write. */
const readers: Readonly<Record<string, Reader>> = {
  find(command) {
    const options = chosen(command, [...ofReads, ...ofFinds])
    const filter = document(command['filter'])
    if (command['singleBatch'] === true && Number(command['limit']) === 1) return { kind: 'findOne', filter, options }
    const more = chosen(command, ['limit', 'batchSize'])
    return { kind: 'find', filter, options: { ...options, ...more } }
  },
  aggregate(command) {
    const pipeline = Array.isArray(command['pipeline']) ? (command['pipeline'] as unknown[]).map(document) : []
    const options = chosen(command, [...ofReads, 'allowDiskUse'])
    const { filter, ...page } = readCount(pipeline) ?? {}
    if (filter) return { kind: 'countDocuments', filter, options: { ...options, ...page } }
    const more = chosen(document(command['cursor']), ['batchSize'])
    return { kind: 'aggregate', pipeline, options: { ...options, ...more } }
  },
  count(command) {
    const filter = document(command['query'])
    return Object.keys(filter).length === 0
      ? { kind: 'estimatedDocumentCount', options: chosen(command, ['maxTimeMS']) }
      : { kind: 'countDocuments', filter, options: chosen(command, [...ofReads, 'limit', 'skip']) }
  },
  distinct: (command) => ({
    kind: 'distinct',
    filter: document(command['query']),
    options: chosen(command, ['key', ...ofReads]),
  }),
  update(command) {
    const { q, u, multi } = command
    const kind = isReplacement(u) ? 'replaceOne' : multi === true ? 'updateMany' : 'updateOne'
    const options = chosen(command, ['upsert', 'sort', 'collation', 'hint'])
    return { kind, filter: document(q), update: u, ...readArrayFilters(command), options }
  },
  findandmodify(command) {
    const { update, remove, fields } = command
    const filter = document(command['query'])
    const common = { ...chosen(command, ['sort', ...ofReads]), ...chosen({ projection: fields }, ['projection']) }
    if (remove === true) return { kind: 'findOneAndDelete', filter, options: common }
    const options = {
      ...common,
      ...chosen(command, ['upsert']),
      ...(command['new'] === true ? { returnDocument: 'after' } : {}),
    }
    const kind = isReplacement(update) ? 'findOneAndReplace' : 'findOneAndUpdate'
    return { kind, filter, update, ...readArrayFilters(command), options }
  },
  insert(_command, entry) {
    const documents = Number(entry['ninserted'] ?? 1)
    return { kind: documents > 1 ? 'insertMany' : 'insertOne', documents, options: {} }
  },
  remove: (command) => ({
    kind: Number(command['limit']) === 1 ? 'deleteOne' : 'deleteMany',
    filter: document(command['q']),
    options: chosen(command, ['collation', 'hint']),
  }),
}

const readArrayFilters = ({ arrayFilters }: BsonDocument): Pick<ProfiledCall, 'arrayFilters'> =>
  Array.isArray(arrayFilters) ? { arrayFilters: (arrayFilters as unknown[]).map(document) } : {}

/** The arguments of the driver's `countDocuments`: it sends `$match`, then `$skip`, `$limit` and `$group`. Undefined: the pipeline is another one. */
function readCount(pipeline: readonly BsonDocument[]): ({ readonly filter: BsonDocument } & BsonDocument) | undefined {
  const stages = pipeline.map((stage) => Object.keys(stage).join())
  if (!/^(\$match,)?(\$skip,)?(\$limit,)?\$group$/.test(stages.join())) return undefined
  const { $match, $skip, $limit, $group } = Object.assign({}, ...pipeline) as BsonDocument
  const { _id, n } = document($group)
  if (Number(_id) !== 1 || Number(document(n)['$sum']) !== 1) return undefined
  return {
    filter: document($match),
    ...($skip !== undefined && { skip: $skip }),
    ...($limit !== undefined && { limit: $limit }),
  }
}
