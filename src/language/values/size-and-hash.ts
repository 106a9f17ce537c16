import { Binary, calculateObjectSize, Decimal128, Double, ObjectId } from 'bson'
import { hashText, mixIn } from '../../core/random.ts'
import { isBsonValue } from './bson-types.ts'

/** Bytes of an element besides its value: the type, the key, the key's end. */
export const keyBytes = (key: string): number => Buffer.byteLength(key) + 2

/** Bytes of a document or array besides its elements: the length and the end. */
export const frameBytes = 5

/** Bytes of an array's keys ("0", "1", …) with their types and ends. */
export function indexKeyBytes(length: number): number {
  let bytes = 2 * length
  for (let digits = 1, first = 0; first < length; digits++) {
    const next = 10 ** digits
    bytes += digits * (Math.min(next, length) - first)
    first = next
  }
  return bytes
}

const stringBytes = (text: string): number => Buffer.byteLength(text) + 5

/** BSON bytes of a value, without type and key. The types that generators make most often come first. */
export function valueBytes(value: unknown): number {
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= -2147483648 && value <= 2147483647 && !Object.is(value, -0) ? 4 : 8
  if (typeof value === 'string') return stringBytes(value)
  if (typeof value === 'boolean') return 1
  if (value === null) return 0
  if (typeof value === 'bigint' || value instanceof Date || value instanceof Double) return 8
  if (value instanceof ObjectId) return 12
  if (value instanceof Decimal128) return 16
  // The length, the subtype, the bytes; the old subtype 2 has its length twice.
  if (value instanceof Binary && value.sub_type !== Binary.SUBTYPE_BYTE_ARRAY) return 5 + value.position
  return calculateObjectSize({ '': value }) - frameBytes - 2
}

/** A 32-bit hash of a value, for the digest of what was drawn. */
export function hashValue(value: unknown): number {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.floor(value * 1e6)
  if (typeof value === 'string') return hashText(value)
  if (value instanceof Date) return hashDate(value.getTime())
  if (value instanceof Double) return hashText(String(value.value))
  const bytes = getBytes(value)
  if (bytes) return hashBytes(bytes)
  if (typeof value !== 'object' || value === null || isBsonValue(value)) return hashText(String(value))
  return Object.entries(value).reduce(
    (hash, [key, item]) => mixIn(mixIn(hash, hashText(key)), hashValue(item)),
    Array.isArray(value) ? 1 : 2,
  )
}

/** The hash of a date, from its milliseconds. */
export const hashDate = (ms: number): number => Math.floor(ms / 1000)

/** The hash of a binary type, from its bytes, by default all of them. */
export function hashBytes(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let hash = to - from
  for (let i = from; i < to; i++) hash = mixIn(hash, bytes[i] ?? 0)
  return hash
}

/** The bytes of a binary type: hashing its text instead would take a microsecond or two. */
function getBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof ObjectId) return value.id
  if (value instanceof Binary) return value.buffer
  return value instanceof Decimal128 ? value.bytes : undefined
}
