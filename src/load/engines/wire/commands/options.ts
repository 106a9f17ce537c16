import { deserialize, type Document } from 'bson'
import { EncodedValue } from '../../../../protocol/bson/encoded.ts'
import { BsonWriter } from '../../../../protocol/bson/writer.ts'
import { type Options } from '../../intent.ts'
import { invalidArgument } from '../replies/write-reply.ts'

/** How options become fields of a command. Undefined: there is no such field. */
export type FieldsOf = (options: Options) => Document

/** Writes what options make of a command. @returns the options as values of JavaScript. */
export type WriteOptions = (options: Options, out: BsonWriter) => Options

/**
 * Writes the fields that the options of a call make. Most operations use one object of options for all of their calls: its
 * fields are encoded once.
 */
export function optionsWriter(fieldsOf: FieldsOf): WriteOptions {
  const encoded = new BsonWriter(64)
  let last: Options | undefined
  let values: Options = {}
  return (options, out) => {
    if (options !== last) {
      // Not known as encoded until all of it is: a sort that is none is thrown for every call.
      last = undefined
      encoded.at = 0
      values = decoded(options)
      writeFields(fieldsOf(values), encoded)
      last = options
    }
    out.copy(encoded.bytes, 0, encoded.at)
    return values
  }
}

export function writeFields(fields: Document, out: BsonWriter): void {
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) out.element(name, value)
}

/** Options as values of JavaScript, also those that have been written as BSON. */
export function decoded(options: Options): Options {
  const values = Object.values(options)
  if (!values.some((value) => value instanceof EncodedValue)) return options
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, decodedValue(value)]))
}

function decodedValue(value: unknown): unknown {
  if (!(value instanceof EncodedValue)) return value
  const whole = new BsonWriter(64)
  const start = whole.beginDocument()
  whole.element('value', value)
  whole.endDocument(start)
  const exactly = { promoteValues: false, promoteBuffers: false, bsonRegExp: true }
  return deserialize(whole.bytes.subarray(0, whole.at), exactly)['value']
}

/** Sort directions that the driver accepts, in any case of their letters. */
const directions: ReadonlyMap<string, 1 | -1> = new Map([
  ['1', 1],
  ['asc', 1],
  ['ascending', 1],
  ['-1', -1],
  ['desc', -1],
  ['descending', -1],
])

/**
 * An order of documents in the form that the server takes, from any that the driver takes.
 * @throws as the driver where it is none.
 */
export function normalizeSort(sort: unknown): unknown {
  if (sort === undefined || sort === null) return undefined
  if (typeof sort === 'string') return new Map([[sort, 1]])
  if (typeof sort !== 'object')
    throw invalidArgument(`Invalid sort format: ${JSON.stringify(sort)} Sort must be a valid object`)
  const fields = Array.isArray(sort) ? fieldsOfList(sort) : Object.entries(sort)
  return fields.length === 0
    ? undefined
    : new Map(fields.map(([field, way]) => [String(field), normalizeDirection(way)]))
}

/** Pairs of a field and its direction, one such pair, or names of fields. */
function fieldsOfList(list: readonly unknown[]): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(list[0])) return list as readonly (readonly [unknown, unknown])[]
  const [field, way] = list
  const isPair = list.length === 2 && (isMeta(way) || directions.has(String(way).toLowerCase()))
  return isPair ? [[field, way]] : list.map((name) => [name, 1])
}

function normalizeDirection(way: unknown): unknown {
  const direction = isMeta(way) ? way : directions.get(String(way ?? 1).toLowerCase())
  if (direction === undefined) throw invalidArgument(`Invalid sort direction: ${JSON.stringify(way)}`)
  return direction
}

const isMeta = (way: unknown): boolean =>
  typeof way === 'object' && way !== null && typeof Reflect.get(way, '$meta') === 'string'
