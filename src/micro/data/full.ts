import { type Stream } from '../../core/random.ts'
import { type JsonText, quoted, spacedJson } from './json-text.ts'
import { randomDigits, randomText } from './random-text.ts'

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
