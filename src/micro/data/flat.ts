import { type Stream } from '../../core/random.ts'
import { type JsonText, quoted, spacedJson } from './json-text.ts'
import { randomDigits, randomText } from './random-text.ts'

const ofEachType = 24
/** Number of doubles with one more digit, so that the file has its size. */
const longerDoubles = 9

/**
 * `flat_bson.json`, 7531 bytes: pairs of an 8-character key and a value of a common type at the top level. The specification
 * describes 121 pairs, 24 of each of five types; its file has twice as many strings: 145 pairs.
 */
export function flatText(stream: Stream): string {
  const document: { [key: string]: JsonText } = { _id: { $oid: quoted(randomDigits(stream, 24)) } }
  for (let i = 0; i < ofEachType; i++) {
    for (const value of [
      quoted(randomText(stream, 80)),
      quoted(randomText(stream, 80)),
      randomDigits(stream, 9),
      // Above 2^53, so that a decoder cannot return a number.
      { $numberLong: quoted(`1${randomDigits(stream, 18)}`) },
      `0.${randomDigits(stream, i < longerDoubles ? 11 : 10)}`,
      String(i % 2 === 0),
    ]) {
      document[randomText(stream, 8)] = value
    }
  }
  return spacedJson(document)
}
