import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'

/** Calls that differ in nothing but their values. */
export type Shape = {
  /** Short, for a column of a table: "find orders status, at". Several shapes may have one. */
  readonly name: string
  /** All keys with the types of their values: equal for calls of one shape. */
  readonly text: string
}

/** Fields that say how a command is executed, or that differ in each call. */
export const besides: ReadonlySet<string> = new Set(
  `cursor batchSize singleBatch maxTimeMS comment ordered documents readConcern writeConcern $readPreference apiVersion apiStrict
  apiDeprecationErrors bypassDocumentValidation let lsids cursors`.split(/\s+/),
)

/** Fields whose top-level keys are in the name of a shape. */
const naming = new Set(['filter', 'query', 'q'])

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

/** One reader for each depth: nested documents are read at the same time. */
const readers: FieldReader[] = []
const readerAt = (depth: number): FieldReader => (readers[depth] ??= new FieldReader())

/** Finds the shape of a call as the import of a profile does: keys and types, arrays without their lengths. */
export function findShape({ database, name, command }: RecordedCall): Shape {
  const reader = readerAt(0).open(command, 0, command.length)
  const parts: string[] = []
  let target = ''
  const keys: string[] = []
  room = maxText
  for (let isFirst = true; reader.next(); isFirst = false) {
    const key = takeKey(reader)
    if (isFirst || key === 'collection') target = reader.text(maxNameBytes)
    else if (room <= 0) break
    else if (!besides.has(key)) {
      parts.push(`${key}: ${typeText(reader, 1)}`)
      keys.push(...readKeys(reader, key))
    }
  }
  const words = [name, target, keys.join(', ')].filter((word) => word !== '')
  return { name: words.join(' '), text: `${database}.${target} ${name} {${parts.join(', ')}}` }
}

/** Lists the keys of a filter: of a command, its first statement, or the first stage of its pipeline. */
function readKeys(reader: FieldReader, key: string, depth = 1): readonly string[] {
  if (reader.type !== bsonType.document && reader.type !== bsonType.array) return []
  if (naming.has(key) || key === '$match') return listKeys(reader, depth)
  if (!['updates', 'deletes', 'pipeline', '0'].includes(key)) return []
  const inner = readerAt(depth).openValueOf(reader, reader.type)
  return inner.next() ? readKeys(inner, inner.key(maxNameBytes), depth + 1) : []
}

function listKeys(reader: FieldReader, depth: number): readonly string[] {
  const inner = readerAt(depth).openValueOf(reader, reader.type)
  const keys: string[] = []
  while (keys.length < maxNamedKeys && inner.next()) keys.push(inner.key(maxNameBytes))
  return keys
}

function takeKey(reader: FieldReader): string {
  const key = reader.key(maxNameBytes)
  room -= key.length + 2
  return key
}

function typeText(reader: FieldReader, depth: number): string {
  room -= 2
  if (reader.type === bsonType.document) {
    const inner = readerAt(depth).openValueOf(reader)
    const parts: string[] = []
    while (room > 0 && inner.next()) parts.push(`${takeKey(inner)}: ${typeText(inner, depth + 1)}`)
    return `{${parts.join(', ')}}`
  }
  if (reader.type === bsonType.array) {
    const inner = readerAt(depth).openValueOf(reader, bsonType.array)
    const items = new Set<string>()
    while (room > 0 && inner.next()) {
      const before = room
      const item = typeText(inner, depth + 1)
      if (items.has(item)) room = before
      else items.add(item)
    }
    return `[${[...items].join(', ')}]`
  }
  return typeNames[reader.type] ?? 'other'
}
