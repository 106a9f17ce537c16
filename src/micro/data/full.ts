import { type Stream } from '../../core/random.ts'

const ofEachType = 6
const elements = 14
/** Number of doubles with one digit less, so that the file has its size. */
const shorterDoubles = 3
const codeCharacters = 63

/** `full_bson.json`, 5734 bytes: 91 pairs, 6 of each BSON type and, as in the flat document, twice as many strings. */
export function fullText(stream: Stream): string {
  const document: { [key: string]: JsonText } = { _id: { $oid: quoted(randomDigits(stream, 24)) } }
  for (let i = 0; i < ofEachType; i++) {
    for (const value of oneOfEachType(stream, i)) document[randomText(stream, 8)] = value
  }
  return spacedJson(document)
}

function oneOfEachType(stream: Stream, round: number): readonly JsonText[] {
  const list = Array.from({ length: elements }, () => randomDigits(stream, 3))
  return [
    quoted(randomText(stream, 80)),
    quoted(randomText(stream, 80)),
    `0.${randomDigits(stream, round < shorterDoubles ? 11 : 12)}`,
    { $numberLong: quoted(`1${randomDigits(stream, 18)}`) },
    randomDigits(stream, 9),
    String(round % 2 === 0),
    { $minKey: '1' },
    { $maxKey: '1' },
    `[${list.join(', ')}]`,
    { $binary: { base64: quoted(randomText(stream, 48)), subType: quoted('00') } },
    { $date: { $numberLong: quoted(`1${randomDigits(stream, 12)}`) } },
    { $regularExpression: { pattern: quoted(randomText(stream, 8)), options: quoted('i') } },
    { $code: quoted(randomText(stream, codeCharacters)) },
    { $code: quoted(randomText(stream, codeCharacters)), $scope: { x: '1' } },
    { $timestamp: { t: `1${randomDigits(stream, 9)}`, i: '1' } },
  ]
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits. */
export function randomText(stream: Stream, length: number): string {
  let text = ''
  for (let i = 0; i < length; i++) text += alphabet.charAt(stream.below(alphabet.length))
  return text
}

/** A number of random digits. The first and the last are not 0, so that numbers keep their length. */
export function randomDigits(stream: Stream, count: number): string {
  let digits = ''
  for (let i = 0; i < count; i++) digits += i === 0 || i === count - 1 ? 1 + stream.below(9) : stream.below(10)
  return digits
}

/**
 * JSON text. The specification gives sizes of files, so white space matters: its BSON files are `spaced` (a space after each
 * colon and comma, a line feed at the end), its small document is `compact`. Values are JSON texts, or objects of them.
 */
export type JsonText = string | { readonly [key: string]: JsonText }

const separators = { compact: { colon: ':', comma: ',' }, spaced: { colon: ': ', comma: ', ' } } as const

/** JSON without white space. */
export const compactJson = (value: JsonText): string => write(value, separators.compact)
/** JSON with spaces and a line feed at the end. */
export const spacedJson = (value: JsonText): string => `${write(value, separators.spaced)}\n`

function write(value: JsonText, style: (typeof separators)[keyof typeof separators]): string {
  if (typeof value === 'string') return value
  const pairs = Object.entries(value).map(([key, inner]) => `"${key}"${style.colon}${write(inner, style)}`)
  return `{${pairs.join(style.comma)}}`
}

/** A JSON string of letters and digits, which needs no escapes. */
export const quoted = (text: string): string => `"${text}"`
