import { type Json } from '../../../core/json.ts'
import { type Kind, standInFor } from '../collection/kinds.ts'
import { type Scalars } from '../collection/shape.ts'

/** Generators of scalar values by kind, with their range or length. */
const draws: Readonly<Record<Kind, (scalars: Scalars) => Json>> = {
  boolean: () => ({ '@choice': { values: [true, false] } }),
  int: ({ min, max }) => ({ '@int': { min: Number(min), max: Number(max) } }),
  long: ({ min, max }) => ({ '@long': { min: wholeNumber(min), max: wholeNumber(max) } }),
  double: doubleDraw,
  decimal: decimalDraw,
  date: ({ min, max }) => ({ '@date': { min: isoDate(min), max: isoDate(max) } }),
  objectId: () => ({ '@objectId': {} }),
  uuid: () => ({ '@uuid': {} }),
  // Text of the same length: no generator makes bytes.
  binary: (scalars) => ({ '@string': { length: createLengthRange(scalars) } }),
  string: stringDraw,
  other: ({ seen }) => standInFor(seen.values().next().value?.value),
}

export const scalarDraw = (kind: Kind, scalars: Scalars): Json => draws[kind](scalars)

function doubleDraw({ min, max, allWhole, decimals }: Scalars): Json {
  // All values are NaN or infinite.
  if (min === undefined) return { $numberDouble: 'NaN' }
  const range = { min: Number(min), max: Number(max) }
  const scale = 10 ** (decimals ?? 0)
  const ends = { min: Math.round(range.min * scale), max: Math.round(range.max * scale) }
  if (decimals !== undefined && Math.max(-ends.min, ends.max) <= Number.MAX_SAFE_INTEGER)
    return { '@toDouble': scale === 1 ? { '@long': ends } : { '@divide': [{ '@long': ends }, scale] } }
  const fitsInt = allWhole && Math.max(-range.min, range.max) < 2 ** 31
  return fitsInt
    ? { '@toDouble': { '@int': range } }
    : { '@double': { min: asJson(range.min), max: asJson(range.max) } }
}

const maxDecimals = 6
const maxDecimal = 1e15

function decimalDraw({ min, max, seen }: Scalars): Json {
  const decimals = [...seen.values()].map(({ value }) => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0)
  const digits = Math.min(maxDecimals, Math.max(0, ...decimals))
  const text = (end: number | bigint | undefined): string =>
    Math.min(maxDecimal, Math.max(-maxDecimal, Number(end ?? 0))).toFixed(digits)
  return { '@decimal': { min: text(min), max: text(max), digits } }
}

/** A JSON number must be exact: a double beyond 2^53 is limited to the greatest safe integer. */
const asJson = (value: number): number =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? Math.sign(value) * Number.MAX_SAFE_INTEGER : value

const wholeNumber = (value: number | bigint | undefined): Json =>
  Number.isSafeInteger(Number(value)) ? Number(value) : { $numberLong: String(value) }

const earliest = Date.parse('0000-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/** Limits dates to the years 0000 to 9999 of ISO 8601. */
export const isoDate = (value: number | bigint | undefined): string =>
  new Date(Math.min(latest, Math.max(earliest, Number(value ?? 0)))).toISOString()

const letters = 'abcdefghijklmnopqrstuvwxyz'

function stringDraw(scalars: Scalars): Json {
  const { digits, lower, upper } = scalars
  const alphabet = `${digits ? '0123456789' : ''}${upper ? letters.toUpperCase() : ''}${lower ? letters : ''}`
  const length = createLengthRange(scalars)
  return { '@string': alphabet === letters || alphabet === '' ? { length } : { length, alphabet } }
}

/** A range around the mean, as wide as the values allow: the mean determines the size of documents. */
function createLengthRange({ count, minBytes, maxBytes, totalBytes }: Scalars): Json {
  const mean = Math.round(totalBytes / count)
  const spread = Math.min(mean - minBytes, maxBytes - mean)
  return spread <= 0 ? mean : { min: mean - spread, max: mean + spread }
}
