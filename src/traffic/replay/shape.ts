import { deserialize, type Document } from 'bson'
import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'

/** What the shape of a command goes by. */
type Shaped = Pick<RecordedCall, 'name' | 'database' | 'command'>

/** Fields whose keys make the shape of a command. Values never do. */
const shaping = ['filter', 'query', 'q', 'sort', 'pipeline', 'updates', 'deletes', 'update', 'u'] as const

/**
 * The shape of a command in words: its name, its namespace, and the keys of its filters, sorts, updates and stages: "find shop.orders {customer, at: {$gt}}".
 * Of several writes of one call, that of the first.
 */
export function describeShape({ name, database, command }: Shaped): string {
  const document = deserialize(command)
  const collection: unknown = name === 'getMore' ? document['collection'] : document[name]
  return `${name}${typeof collection === 'string' ? ` ${database}.${collection}` : ''}${partsIn(document)}`
}

const partsIn = (document: Document): string => shaping.map((field) => partText(field, document[field])).join('')

function partText(field: (typeof shaping)[number], value: unknown): string {
  if (!isStructured(value)) return ''
  switch (field) {
    case 'updates':
    case 'deletes':
      return isStructured(value[0]) ? partsIn(value[0]) : ''
    case 'pipeline':
      return ` [${Object.values(value).map(keysText).join(', ')}]`
    case 'sort':
      return ` sort ${keysText(value)}`
    case 'u':
    case 'update':
      // A document that takes the place of another: its keys are data.
      return !Array.isArray(value) && Object.keys(value)[0]?.startsWith('$') === false ? ' {…}' : ` ${keysText(value)}`
    default:
      return ` ${keysText(value)}`
  }
}

const isStructured = (value: unknown): value is Document =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)

/** The keys of a document, with those of the documents in it. A list is known by its first item. */
function keysText(value: unknown): string {
  if (!isStructured(value)) return ''
  if (Array.isArray(value)) return `[${keysText(value[0])}]`
  return `{${Object.entries(value)
    .map(([key, inner]) => (isStructured(inner) ? `${key}: ${keysText(inner)}` : key))
    .join(', ')}}`
}

const fields = new FieldReader()
const readers: FieldReader[] = []

/** A number that commands of one shape share, without decoding them: commands of different shapes have different ones, but for chance. */
export function hashShape({ name, database, command }: Shaped): number {
  let hash = hashText(hashText(0x811c9dc5, name), database)
  fields.open(command, 0, command.length)
  while (fields.next()) {
    if (fields.type === bsonType.string && (fields.fieldStart === 4 || fields.is('collection')))
      hash = hashBytes(hash, command, fields.start, fields.end)
    else if (shaping.some((one) => fields.is(one))) hash = hashKeys(hash, fields, fields.is('pipeline'), 0)
  }
  return hash >>> 0
}

/** Mixes a key in, and the keys of its value: of a list those of its first item, of a pipeline those of all. */
function hashKeys(hash: number, field: FieldReader, takesAll: boolean, depth: number): number {
  const { bytes } = field
  let mixed = hashBytes(hash, bytes, field.fieldStart + 1, field.start)
  const isList = field.type === bsonType.array
  if (!isList && field.type !== bsonType.document) return mixed
  const inner = (readers[depth] ??= new FieldReader()).open(bytes, field.start, field.end)
  while (inner.next()) {
    mixed = hashKeys(mixed, inner, false, depth + 1)
    if (isList && !takesAll) break
  }
  return Math.imul(mixed ^ 0x5d, 0x01000193)
}

function hashBytes(hash: number, bytes: Buffer, start: number, end: number): number {
  let mixed = hash
  for (let at = start; at < end; at++) mixed = Math.imul(mixed ^ (bytes[at] as number), 0x01000193)
  return mixed
}

function hashText(hash: number, text: string): number {
  let mixed = hash
  for (let i = 0; i < text.length; i++) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x01000193)
  return Math.imul(mixed ^ 0x20, 0x01000193)
}
