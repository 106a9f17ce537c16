import { FieldReader } from './field-reader.ts'
import { ObjectFields } from './object-fields.ts'
import { bsonType } from './types.ts'

/** Commands that differ in nothing but their values. */
export type Shape = {
  /** Short, for a column of a table: "find orders status, at (total)", with the fields of a projection. Several shapes may have one. */
  readonly name: string
  /** All keys with the types of their values: equal for commands of one shape. */
  readonly text: string
}

/** A command, and the database and the name that it was sent with: as one BSON document, or as an object of a driver. */
type Command = {
  readonly database: string
  readonly name: string
  readonly command: Buffer | Readonly<Record<string, unknown>>
}

/** Fields of a document, one after the other: those of its bytes, or of an object. */
export type Fields = Pick<FieldReader, 'type' | 'next' | 'key' | 'text'> & { readonly inner: () => Fields }

/** Fields that say how a command is executed, or that differ in each call. */
export const besides: ReadonlySet<string> = new Set(
  `cursor batchSize singleBatch maxTimeMS comment ordered documents readConcern writeConcern $readPreference apiVersion apiStrict
  apiDeprecationErrors bypassDocumentValidation let lsids cursors lsid txnNumber startTransaction autocommit $clusterTime $db`.split(
    /\s+/,
  ),
)

/** Fields whose top-level keys are in the name of a shape. */
const naming = new Set(['filter', 'query', 'q'])
const projections = new Set(['projection', 'fields'])

const typeNames: Readonly<Record<number, string>> = {
  [bsonType.double]: 'number',
  [bsonType.int32]: 'number',
  [bsonType.int64]: 'number',
  [bsonType.decimal128]: 'decimal',
  [bsonType.string]: 'string',
  [bsonType.objectId]: 'objectId',
  [bsonType.boolean]: 'boolean',
  [bsonType.date]: 'date',
  [bsonType.null]: 'null',
  [bsonType.undefined]: 'null',
  [bsonType.binary]: 'binary',
  [bsonType.regex]: 'regex',
}

/** Longer names of collections and keys are cut, in bytes. */
const maxNameBytes = 255
/** Maximum number of keys in a name. The text has all. */
const maxNamedKeys = 20
/** Longer texts are cut, because keys may be data: calls that differ only after the cut have one shape. In characters of keys. */
const maxText = 4000
/** Characters that the current text may still take. */
let room = 0

const byteReader = new FieldReader()
const open = (command: Command['command']): Fields =>
  Buffer.isBuffer(command) ? byteReader.open(command, 0, command.length) : new ObjectFields(command)

/**
 * Finds the shape of a command as the import of a profile does: keys and types, arrays without their lengths.
 * @returns it with the keys of its filter.
 */
export function findShape({ database, name, command }: Command): Shape & { readonly keys: readonly string[] } {
  const reader = open(command)
  const parts: string[] = []
  let target = ''
  const keys: string[] = []
  let projected = ''
  room = maxText
  for (let isFirst = true; reader.next(); isFirst = false) {
    const key = takeKey(reader)
    if (isFirst || key === 'collection') target = reader.text(maxNameBytes)
    else if (room <= 0) break
    else if (!besides.has(key)) {
      parts.push(`${key}: ${typeText(reader)}`)
      keys.push(...readKeys(reader, key))
      if (projections.has(key) && reader.type === bsonType.document) projected = listKeys(reader.inner()).join(', ')
    }
  }
  const words = [name, target, keys.join(', '), projected && `(${projected})`].filter((word) => word !== '')
  return { name: words.join(' '), text: `${database}.${target} ${name} {${parts.join(', ')}}`, keys }
}

/** Lists the keys of a filter: of a command, its first statement, or the first stage of its pipeline. */
function readKeys(reader: Fields, key: string): readonly string[] {
  if (reader.type !== bsonType.document && reader.type !== bsonType.array) return []
  if (naming.has(key) || key === '$match') return listKeys(reader.inner())
  if (!['updates', 'deletes', 'pipeline', '0'].includes(key)) return []
  const inner = reader.inner()
  return inner.next() ? readKeys(inner, inner.key(maxNameBytes)) : []
}

function listKeys(reader: Fields): readonly string[] {
  const keys: string[] = []
  while (keys.length < maxNamedKeys && reader.next()) keys.push(reader.key(maxNameBytes))
  return keys
}

function takeKey(reader: Fields): string {
  const key = reader.key(maxNameBytes)
  room -= key.length + 2
  return key
}

function typeText(reader: Fields): string {
  room -= 2
  if (reader.type === bsonType.document) {
    const inner = reader.inner()
    const parts: string[] = []
    while (room > 0 && inner.next()) parts.push(`${takeKey(inner)}: ${typeText(inner)}`)
    return `{${parts.join(', ')}}`
  }
  if (reader.type === bsonType.array) {
    const inner = reader.inner()
    const items = new Set<string>()
    while (room > 0 && inner.next()) {
      const before = room
      const item = typeText(inner)
      if (items.has(item)) room = before
      else items.add(item)
    }
    return `[${[...items].join(', ')}]`
  }
  return typeNames[reader.type] ?? 'other'
}
