import { Decimal128, ObjectId, UUID } from 'bson'
import { asDouble, byValue, isInt32 } from '../../../language/values/bson-types.ts'
import { type ColumnType } from '../../../spec/schema/data-file-kinds.ts'

const wholeNumber = /^[+-]?\d{1,19}$/
const anyNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const trueTexts: ReadonlySet<string> = new Set(['true', '1', 't', 'yes'])
const falseTexts: ReadonlySet<string> = new Set(['false', '0', 'f', 'no'])

/** How each type reads a text. Undefined: it is no value of the type. */
const readers: Readonly<Record<ColumnType, (text: string) => unknown>> = {
  auto: (text) => (wholeNumber.test(text) ? byValue(BigInt(unsigned(text))) : (readDouble(text) ?? text)),
  string: (text) => text,
  int: (text) => (wholeNumber.test(text) && isInt32(Number(text)) ? Number(text) : undefined),
  long: readLong,
  double: readDouble,
  decimal: (text) => (anyNumber.test(text) ? Decimal128.fromStringWithRounding(text) : undefined),
  boolean(text) {
    const lower = text.toLowerCase()
    return trueTexts.has(lower) ? true : falseTexts.has(lower) ? false : undefined
  },
  date: readDate,
  objectId: (text) => (/^[0-9a-f]{24}$/i.test(text) ? ObjectId.createFromHexString(text) : undefined),
  uuid: (text) => (UUID.isValid(text) ? UUID.createFromHexString(text) : undefined),
  skip: () => undefined,
}

/** The value of a field of a column. Undefined: it is none of the type of the column. */
export const readColumn = (type: ColumnType, text: string): unknown => readers[type](text)

/** `BigInt` takes no plus sign. */
const unsigned = (text: string): string => text.replace(/^\+/, '')

function readLong(text: string): bigint | undefined {
  const value = wholeNumber.test(text) ? BigInt(unsigned(text)) : undefined
  return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined
}

function readDouble(text: string): unknown {
  return anyNumber.test(text) ? asDouble(Number(text)) : undefined
}

/** A date in ISO 8601, in UTC where it names no zone, or milliseconds since 1970. */
function readDate(text: string): Date | undefined {
  const iso = /^(\d{4}-\d\d-\d\d)([T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  const [, day, , time = '00:00', zone = 'Z'] = iso ?? []
  const date = iso ? new Date(`${day}T${time}${zone}`) : /^-?\d{1,16}$/.test(text) ? new Date(Number(text)) : undefined
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}
