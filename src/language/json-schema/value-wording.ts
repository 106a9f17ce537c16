import { didYouMean, nearest } from '../../core/nearest.ts'

const typeNames: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['array', 'a list'],
])

/** Why a value has the wrong type: "must be a text or null, not a list". */
export function wrongType(expected: readonly string[], input: unknown): string {
  if (input === undefined) return 'is missing'
  return `must be ${expected.map((type) => typeNames.get(type) ?? type).join(' or ')}, not ${describeType(input)}`
}

function describeType(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'number') return String(input)
  return typeNames.get(typeof input) ?? typeof input
}

/** Why a value is none of those that are known, with the nearest of them. */
export function describeMismatch(values: readonly unknown[], input: unknown): string {
  if (input === undefined) return 'is missing'
  const near = typeof input === 'string' ? nearest(input, values.map(String)) : undefined
  const texts = values.map((value) => JSON.stringify(value)).join(', ')
  return `must be ${values.length > 1 ? 'one of ' : ''}${texts}${didYouMean(near)}`
}

/** Why a value is beyond a limit: of a text its letters, of a list its items, else its size. */
export function beyond(
  origin: string,
  side: 'above' | 'below' | 'at least' | 'at most',
  limit: number | bigint,
): string {
  if (origin === 'string') return `must have ${side} ${limit} letter${limit === 1 ? '' : 's'}`
  if (origin === 'array') return `must have ${side} ${limit} item${limit === 1 ? '' : 's'}`
  return `must be ${side} ${limit}`
}

/** Why a text has the wrong form. */
export const wrongForm = (format: string | undefined, pattern: string | undefined): string =>
  format === 'datetime' || format === 'date-time'
    ? 'must be a date of ISO 8601, such as "2026-01-01T00:00:00Z"'
    : `must match ${pattern}`
