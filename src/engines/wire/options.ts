import { deserialize, type Document } from 'bson'
import { EncodedValue } from '../../bson/encoded.ts'
import { BsonWriter } from '../../bson/writer.ts'
import { type Options } from '../intent.ts'

/** How options become fields of a command. Undefined: there is no such field. */
export type FieldsOf = (options: Options) => Document

/**
 * Writes the fields that the options of a call make. Most operations use one object of options for all of their calls: its
 * fields are encoded once.
 */
export function optionsWriter(fieldsOf: FieldsOf): (options: Options, out: BsonWriter) => void {
  const encoded = new BsonWriter(64)
  let last: Options | undefined
  return (options, out) => {
    if (options !== last) {
      encoded.at = 0
      writeFields(fieldsOf(decoded(options)), encoded)
      last = options
    }
    out.copy(encoded.bytes, 0, encoded.at)
  }
}

/** Writes the fields that have a value. */
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

const directions: Readonly<Record<string, 1 | -1>> = { asc: 1, ascending: 1, desc: -1, descending: -1 }

/** An order of documents with numbers for the words that the driver accepts. */
export function sortOf(sort: unknown): unknown {
  if (typeof sort === 'string') return { [sort]: 1 }
  if (typeof sort !== 'object' || sort === null || Array.isArray(sort)) return sort
  const fields = Object.entries(sort)
  if (fields.length === 0) return undefined
  return Object.fromEntries(
    fields.map(([field, way]) => [field, typeof way === 'string' ? (directions[way.toLowerCase()] ?? way) : way]),
  )
}
