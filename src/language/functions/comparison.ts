import { Binary, MaxKey, MinKey, ObjectId } from 'bson'
import { isNumber, type NumberValue, toNumber } from '../values/bson-types.ts'
import { type SpecFunction } from './function.ts'

/** Order of types in MongoDB's comparison, for the types that a spec can compute with. */
function typeRank(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (isNumber(value)) return 1
  if (typeof value === 'string') return 2
  if (Array.isArray(value)) return 4
  if (value instanceof Binary) return 5
  if (value instanceof ObjectId) return 6
  if (typeof value === 'boolean') return 7
  if (value instanceof Date) return 8
  if (value instanceof MinKey) return -1
  if (value instanceof MaxKey) return 9
  return 3
}

const order = (a: number | bigint | string, b: number | bigint | string): number => (a < b ? -1 : a > b ? 1 : 0)

const exact = (value: NumberValue): number | bigint => (typeof value === 'bigint' ? value : toNumber(value))

/** NaN is below all numbers, and equal to itself. */
const orderNumbers = (a: number | bigint, b: number | bigint): number =>
  Number(Number.isNaN(b)) - Number(Number.isNaN(a)) || order(a, b)

/** Compares by length, subtype and bytes. */
const binaryText = (value: Binary): string =>
  [value.position, value.sub_type].map((n) => String(n).padStart(10, '0')).join() +
  Buffer.from(value.value()).toString('hex')

/** Compares values of any type as the server does. Returns a number below, equal to or above 0. */
export function compare(a: unknown, b: unknown): number {
  const rank = typeRank(a)
  const byType = rank - typeRank(b)
  if (byType !== 0 || rank === 0) return byType
  if (isNumber(a) && isNumber(b)) return orderNumbers(exact(a), exact(b))
  if (typeof a === 'string' && typeof b === 'string') return order(a, b)
  if (typeof a === 'boolean' || a instanceof Date) return order(Number(a), Number(b))
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b)
  if (a instanceof Binary && b instanceof Binary) return order(binaryText(a), binaryText(b))
  if (rank === 3) return compareLists(Object.entries(a as object).flat(), Object.entries(b as object).flat())
  return order(String(a), String(b))
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const difference = compare(a[i], b[i])
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Whether MongoDB takes a value as true: all but false, null, a missing value and 0. */
export const isTrue = (value: unknown): boolean =>
  !(value === null || value === undefined || value === false || (isNumber(value) && toNumber(value) === 0))

const two = [2, 2] as const
const many = [1, 100] as const

const test = (
  keyword: `@${string}`,
  summary: string,
  holds: (difference: number) => boolean,
  example: SpecFunction['example'],
): SpecFunction => ({
  keyword,
  summary,
  arity: two,
  apply: ([a, b]) => holds(compare(a, b)),
  example,
})

export const comparisons: readonly SpecFunction[] = [
  test('@eq', 'Whether two values are equal; numbers by value, whatever their type.', (d) => d === 0, [
    { '@eq': [1, 1] },
    true,
  ]),
  test('@ne', 'Whether two values differ.', (d) => d !== 0, [{ '@ne': [1, 2] }, true]),
  test('@lt', 'Whether the first value is below the second.', (d) => d < 0, [{ '@lt': [1, 2] }, true]),
  test('@lte', 'Whether the first value is not above the second.', (d) => d <= 0, [{ '@lte': [2, 2] }, true]),
  test('@gt', 'Whether the first value is above the second.', (d) => d > 0, [{ '@gt': [3, 2] }, true]),
  test('@gte', 'Whether the first value is not below the second.', (d) => d >= 0, [{ '@gte': [2, 2] }, true]),
  {
    keyword: '@min',
    summary: 'Smallest of the values; null is ignored.',
    arity: many,
    apply: (args) => extreme(args, (difference) => difference < 0),
    example: [{ '@min': [3, 1, 2] }, 1],
  },
  {
    keyword: '@max',
    summary: 'Largest of the values; null is ignored.',
    arity: many,
    apply: (args) => extreme(args, (difference) => difference > 0),
    example: [{ '@max': [3, 1, 2] }, 3],
  },
]

function extreme(args: readonly unknown[], better: (difference: number) => boolean): unknown {
  let best: unknown = null
  for (const arg of args)
    if (arg !== null && arg !== undefined && (best === null || better(compare(arg, best)))) best = arg
  return best
}

export const logic: readonly SpecFunction[] = [
  {
    keyword: '@and',
    summary: 'Whether all values are true. Null, false and 0 are not.',
    arity: [0, 100],
    apply: (args) => args.every(isTrue),
    example: [{ '@and': [true, 1] }, true],
  },
  {
    keyword: '@or',
    summary: 'Whether one of the values is true.',
    arity: [0, 100],
    apply: (args) => args.some(isTrue),
    example: [{ '@or': [false, 1] }, true],
  },
  {
    keyword: '@not',
    summary: 'Whether the value is not true.',
    arity: [1, 1],
    apply: ([value]) => !isTrue(value),
    example: [{ '@not': [false] }, true],
  },
  {
    keyword: '@in',
    summary: 'Whether the list (second) contains the value (first).',
    arity: two,
    apply: ([value, list = null]) =>
      Array.isArray(list) ? list.some((item) => compare(item, value) === 0) : list === null ? false : null,
    example: [{ '@in': [2, [1, 2, 3]] }, true],
  },
]
