import { Binary, Decimal128, ObjectId } from 'bson'
import { hashText, mixIn } from '../random.ts'
import { isBsonValue } from './bson-types.ts'

/** A 32-bit hash of a value, for the digest of what was drawn. */
export function hashValue(value: unknown): number {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.floor(value * 1e6)
  if (typeof value === 'string') return hashText(value)
  if (value instanceof Date) return Math.floor(value.getTime() / 1000)
  const bytes = bytesOf(value)
  if (bytes) return hashBytes(bytes)
  if (typeof value !== 'object' || value === null || isBsonValue(value)) return hashText(String(value))
  return Object.entries(value).reduce(
    (hash, [key, item]) => mixIn(mixIn(hash, hashText(key)), hashValue(item)),
    Array.isArray(value) ? 1 : 2,
  )
}

function hashBytes(bytes: Uint8Array): number {
  let hash = bytes.length
  for (let i = 0; i < bytes.length; i++) hash = mixIn(hash, bytes[i] ?? 0)
  return hash
}

/** The bytes of a binary type: hashing its text instead would take a microsecond or two. */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof ObjectId) return value.id
  if (value instanceof Binary) return value.buffer
  return value instanceof Decimal128 ? value.bytes : undefined
}
