import { Binary, Decimal128, ObjectId } from 'bson'
import { asDouble, byValue, isNumber, toNumber, type NumberValue } from '../values/bson-types.ts'
import { type SpecFunction } from './function.ts'

const many = [1, 100] as const
const two = [2, 2] as const
const one = [1, 1] as const

/** Exact for whole numbers, in doubles otherwise. Null where an operand is not a number, or there is none. */
function reduceNumbers(
  args: readonly unknown[],
  whole: (a: bigint, b: bigint) => bigint,
  double: (a: number, b: number) => number,
): NumberValue | null {
  if (args.length === 0 || !args.every(isNumber)) return null
  if (args.some((arg) => typeof arg === 'bigint') && args.every(isWhole))
    return byValue(args.map(toBigInt).reduce(whole))
  return byValue(args.map(toNumber).reduce(double))
}

const add = (args: readonly unknown[]): NumberValue | null =>
  reduceNumbers(
    args,
    (a, b) => a + b,
    (a, b) => a + b,
  )

const subtract = (a: unknown, b: unknown): NumberValue | null =>
  reduceNumbers(
    [a, b],
    (x, y) => x - y,
    (x, y) => x - y,
  )

/** A date some milliseconds later. Null where there is no such date. */
function moved(date: Date, ms: NumberValue | null): Date | null {
  const made = new Date(ms === null ? NaN : date.getTime() + Math.round(toNumber(ms)))
  return Number.isNaN(made.getTime()) ? null : made
}

/** The milliseconds from one date to another. Null where one of them is invalid. */
function between(from: Date, to: Date): bigint | null {
  const ms = to.getTime() - from.getTime()
  return Number.isNaN(ms) ? null : BigInt(ms)
}

const isWhole = (value: NumberValue): boolean => typeof value === 'bigint' || Number.isSafeInteger(toNumber(value))
const toBigInt = (value: NumberValue): bigint => (typeof value === 'bigint' ? value : BigInt(toNumber(value)))

const rounded =
  (round: (value: number) => number) =>
  ([value]: readonly unknown[]): unknown => {
    if (!isNumber(value)) return null
    return typeof value === 'bigint' ? value : byValue(round(toNumber(value)))
  }

export const arithmetic: readonly SpecFunction[] = [
  {
    keyword: '@add',
    summary: 'Sum of numbers; or a date and numbers of milliseconds.',
    arity: many,
    apply(args) {
      const [date, ...others] = args.filter((arg) => arg instanceof Date)
      if (date === undefined) return add(args)
      return others.length > 0 ? null : moved(date, add([0, ...args.filter((arg) => arg !== date)]))
    },
    example: [{ '@add': [1, 2, 0.5] }, 3.5],
  },
  {
    keyword: '@subtract',
    summary:
      'First number minus the second; for two dates the milliseconds between them, for a date and a number an earlier date.',
    arity: two,
    apply([a, b]) {
      if (!(a instanceof Date)) return subtract(a, b)
      return b instanceof Date ? between(b, a) : moved(a, subtract(0, b))
    },
    example: [{ '@subtract': [5, 1] }, 4],
  },
  {
    keyword: '@multiply',
    summary: 'Product of numbers.',
    arity: many,
    apply: (args) =>
      reduceNumbers(
        args,
        (a, b) => a * b,
        (a, b) => a * b,
      ),
    example: [{ '@multiply': [1024, 4] }, 4096],
  },
  {
    keyword: '@divide',
    summary:
      'First number divided by the second, which must be known when the plan is made and not be 0. `7 / 2` is 3.5.',
    arity: two,
    divides: true,
    apply: ([a, b]) => (isNumber(a) && isNumber(b) && toNumber(b) !== 0 ? byValue(toNumber(a) / toNumber(b)) : null),
    example: [{ '@divide': [7, 2] }, 3.5],
  },
  {
    keyword: '@mod',
    summary: 'Remainder of the first number divided by the second, with the sign of the first.',
    arity: two,
    divides: true,
    apply: ([a, b]) =>
      isNumber(b) && toNumber(b) !== 0
        ? reduceNumbers(
            [a, b],
            (x, y) => x % y,
            (x, y) => x % y,
          )
        : null,
    example: [{ '@mod': [7, 3] }, 1],
  },
  {
    keyword: '@floor',
    summary: 'Largest whole number that is not above the number.',
    arity: one,
    apply: rounded(Math.floor),
    example: [{ '@floor': 2.7 }, 2],
  },
  {
    keyword: '@ceil',
    summary: 'Smallest whole number that is not below the number.',
    arity: one,
    apply: rounded(Math.ceil),
    example: [{ '@ceil': 2.1 }, 3],
  },
]

/** Truncates towards zero, as MongoDB does; null outside of the type's range. */
function toWhole(value: unknown, min: bigint, max: bigint): bigint | null {
  const number = readNumber(value)
  if (number === null) return null
  const plain = toNumber(number)
  if (typeof number !== 'bigint' && !Number.isFinite(plain)) return null
  const whole = typeof number === 'bigint' ? number : BigInt(Math.trunc(plain))
  return whole >= min && whole <= max ? whole : null
}

function readNumber(value: unknown): NumberValue | null {
  if (isNumber(value)) return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) return BigInt(value)
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  return null
}

/** The functions that convert values to another type. */
export const conversions: readonly SpecFunction[] = [
  {
    keyword: '@toInt',
    summary: 'As an int32, truncated towards zero.',
    arity: one,
    apply: ([value]) => {
      const whole = toWhole(value, -(2n ** 31n), 2n ** 31n - 1n)
      return whole === null ? null : Number(whole)
    },
    example: [{ '@toInt': 2.9 }, 2],
  },
  {
    keyword: '@toLong',
    summary: 'As an int64, truncated towards zero.',
    arity: one,
    apply: ([value]) => toWhole(value, -(2n ** 63n), 2n ** 63n - 1n),
    example: [{ '@toLong': 5 }, { $numberLong: '5' }],
  },
  {
    keyword: '@toDouble',
    summary: 'As a double, even if it is a whole number.',
    arity: one,
    apply: ([value]) => {
      const number = readNumber(value)
      return number === null ? null : asDouble(toNumber(number))
    },
    example: [{ '@toDouble': 5 }, { $numberDouble: '5.0' }],
  },
  {
    keyword: '@toDate',
    summary: 'Milliseconds since 1970 as a date.',
    arity: one,
    apply: ([value]) => {
      const date = new Date(toNumber(readNumber(value) ?? Number.NaN))
      return Number.isNaN(date.getTime()) ? null : date
    },
    example: [{ '@toDate': 1_767_225_600_000 }, { $date: '2026-01-01T00:00:00Z' }],
  },
  {
    keyword: '@toString',
    summary: 'As text: numbers in decimal, dates in ISO 8601, ids in hexadecimal.',
    arity: one,
    apply: ([value]) => asText(value),
    example: [{ '@toString': 42 }, '42'],
  },
]

/** Null for lists, documents, and binary data other than UUIDs: they have no text. */
export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (isNumber(value)) return typeof value === 'bigint' ? value.toString() : String(toNumber(value))
  if (typeof value === 'boolean') return String(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof Binary) return isUuid(value) ? value.toUUID().toString() : null
  return value instanceof ObjectId || value instanceof Decimal128 ? value.toString() : null
}

const isUuid = (value: Binary): boolean => value.sub_type === Binary.SUBTYPE_UUID && value.position === 16
