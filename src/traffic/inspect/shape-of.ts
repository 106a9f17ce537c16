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

/** Fields of commands that say how they are done, or are other in each call. */
export const besides: ReadonlySet<string> = new Set(
  `cursor batchSize singleBatch maxTimeMS comment ordered documents readConcern writeConcern $readPreference apiVersion apiStrict
  apiDeprecationErrors bypassDocumentValidation let lsids cursors`.split(/\s+/),
)

/** Fields whose first level is in the name of a shape. */
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

/** One for each depth: a document is read while the one around it is. */
const readers: FieldReader[] = []
const readerAt = (depth: number): FieldReader => (readers[depth] ??= new FieldReader())

/** The shape of a call, as the import of a profile has it: keys and types, lists without their lengths. */
export function findShape({ database, name, command }: RecordedCall): Shape {
  const reader = readerAt(0).open(command, 0, command.length)
  const parts: string[] = []
  let target = ''
  const keys: string[] = []
  for (let isFirst = true; reader.next(); isFirst = false) {
    const key = reader.key()
    if (isFirst) target = reader.text()
    else if (key === 'collection') target = reader.text()
    else if (!besides.has(key)) {
      parts.push(`${key}: ${typeText(reader, 1)}`)
      keys.push(...readKeys(reader, key))
    }
  }
  const words = [name, target, keys.join(', ')].filter((word) => word !== '')
  return { name: words.join(' '), text: `${database}.${target} ${name} {${parts.join(', ')}}` }
}

/** Keys that a filter names: of a command, of its first statement, or of the first stage of a pipeline. */
function readKeys(reader: FieldReader, key: string, depth = 1): readonly string[] {
  if (reader.type !== bsonType.document && reader.type !== bsonType.array) return []
  if (naming.has(key) || key === '$match') return listKeys(reader, depth)
  if (!['updates', 'deletes', 'pipeline', '0'].includes(key)) return []
  const inner = readerAt(depth).openValueOf(reader, reader.type)
  return inner.next() ? readKeys(inner, inner.key(), depth + 1) : []
}

function listKeys(reader: FieldReader, depth: number): readonly string[] {
  const inner = readerAt(depth).openValueOf(reader, reader.type)
  const keys: string[] = []
  while (inner.next()) keys.push(inner.key())
  return keys
}

function typeText(reader: FieldReader, depth: number): string {
  if (reader.type === bsonType.document) {
    const inner = readerAt(depth).openValueOf(reader)
    const parts: string[] = []
    while (inner.next()) parts.push(`${inner.key()}: ${typeText(inner, depth + 1)}`)
    return `{${parts.join(', ')}}`
  }
  if (reader.type === bsonType.array) {
    const inner = readerAt(depth).openValueOf(reader, bsonType.array)
    const items = new Set<string>()
    while (inner.next()) items.add(typeText(inner, depth + 1))
    return `[${[...items].join(', ')}]`
  }
  return typeNames[reader.type] ?? 'other'
}
