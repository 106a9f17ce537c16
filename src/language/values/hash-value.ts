import { Binary, Decimal128, ObjectId } from 'bson'
import { hashText, mixIn } from '../../core/random.ts'
import { isBsonValue } from './bson-types.ts'

/** A 32-bit hash of a value, for the digest of what was drawn. */
export function hashValue(value: unknown): number {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.floor(value * 1e6)
  if (typeof value === 'string') return hashText(value)
  if (value instanceof Date) return hashDate(value.getTime())
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
