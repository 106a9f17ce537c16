import { Fnv1a64 } from '../generators/distributions/fnv1a64.ts'
import { isNumber, toNumber } from '../values/bson-types.ts'
import { type SpecFunction } from './function.ts'

const hash = new Fnv1a64()

export const hashes: readonly SpecFunction[] = [
  {
    keyword: '@fnv1a64',
    summary: 'Hash FNV-1a of a whole number, as an int64 without its sign. YCSB derives its keys from it.',
    arity: [1, 1],
    apply: ([value]) => {
      const whole = toInteger(value)
      if (whole === null) return null
      const signed = BigInt.asIntN(64, hash.ofInt64(whole).value())
      // As in Java, the smallest int64 has no positive counterpart.
      return BigInt.asIntN(64, signed < 0n ? -signed : signed)
    },
    example: [{ '@fnv1a64': 0 }, { $numberLong: '6284781860667377211' }],
  },
]

function toInteger(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value
  return isNumber(value) && Number.isSafeInteger(toNumber(value)) ? BigInt(toNumber(value)) : null
}
