import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { besides } from '../inspect/shape-of.ts'
import { type RecordedCall } from '../recording/recorded-call.ts'

const fields = new FieldReader()
const readers: FieldReader[] = []
/** Keys that are left out, by their length. */
const leftOut = Array.from({ length: 40 }, (_, length) => [...besides].filter((key) => key.length === length))

/** A number that only calls of one shape share, see `findShape`, but for chance: to find it again costs a tenth of describing it. */
export function hashShape({ name, database, command }: Pick<RecordedCall, 'name' | 'database' | 'command'>): number {
  let hash = hashText(hashText(0x811c9dc5, name), database)
  fields.open(command, 0, command.length)
  while (fields.next()) {
    if (leftOut[fields.start - fields.fieldStart - 2]?.some((one) => fields.is(one))) continue
    const isTarget = fields.type === bsonType.string && (fields.fieldStart === 4 || fields.is('collection'))
    hash = isTarget ? hashBytes(hash, command, fields.start, fields.end) : hashField(hash, fields, 0)
  }
  return hash >>> 0
}

/** Mixes the type and the key of a field in, and what its value has of them. Items of a list count once where they follow each other. */
function hashField(hash: number, { bytes, type, fieldStart, start, end }: FieldReader, depth: number): number {
  let mixed = hashBytes(hash, bytes, fieldStart, start)
  if (type !== bsonType.document && type !== bsonType.array) return mixed
  const inner = (readers[depth] ??= new FieldReader()).open(bytes, start, end)
  if (type === bsonType.document) while (inner.next()) mixed = hashField(mixed, inner, depth + 1)
  else
    for (let last = 0; inner.next();) {
      const item = hashItem(inner, depth + 1)
      if (item !== last) mixed = mix(mixed, (last = item))
    }
  return mix(mixed, 0x5d)
}

/** The same for an item, whose key is its position. */
function hashItem({ bytes, type, start, end }: FieldReader, depth: number): number {
  let mixed = mix(0x811c9dc5, type)
  if (type !== bsonType.document && type !== bsonType.array) return mixed
  const inner = (readers[depth] ??= new FieldReader()).open(bytes, start, end)
  while (inner.next())
    mixed = type === bsonType.document ? hashField(mixed, inner, depth + 1) : mix(mixed, hashItem(inner, depth + 1))
  return mixed
}

const mix = (hash: number, word: number): number => Math.imul(hash ^ word, 0x01000193)

function hashBytes(hash: number, bytes: Buffer, start: number, end: number): number {
  let mixed = hash
  for (let at = start; at < end; at++) mixed = mix(mixed, bytes[at] as number)
  return mixed
}

function hashText(hash: number, text: string): number {
  let mixed = hash
  for (let i = 0; i < text.length; i++) mixed = mix(mixed, text.charCodeAt(i))
  return mix(mixed, 0x20)
}
