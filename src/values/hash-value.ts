import { hashText, mixIn } from '../random.ts'
import { isBsonValue } from './bson-types.ts'

/** 32 bits that tell values apart, for the digest of what was drawn. */
export function hashValue(value: unknown): number {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.floor(value * 1e6)
  if (typeof value === 'string') return hashText(value)
  if (value instanceof Date) return Math.floor(value.getTime() / 1000)
  if (typeof value !== 'object' || value === null || isBsonValue(value)) return hashText(String(value))
  return Object.entries(value).reduce(
    (hash, [key, item]) => mixIn(mixIn(hash, hashText(key)), hashValue(item)),
    Array.isArray(value) ? 1 : 2,
  )
}
