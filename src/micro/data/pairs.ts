import { type Stream } from '../../core/random.ts'
import { compactJson, type JsonText, quoted } from './json-text.ts'
import { randomDigits, randomText } from './random-text.ts'

/** `small_doc.json`, 275 bytes, and 250 as BSON. */
export const smallText = (stream: Stream): string => pairsText(stream, { texts: 7, numbers: 6 })

/** `large_doc.json`, 2731089 bytes, and about 2500000 as BSON: pairs of the same kinds. */
export const largeText = (stream: Stream): string => pairsText(stream, { texts: 77_404, numbers: 51_410 })

/** Eight characters for each key and for each value. */
function pairsText(stream: Stream, { texts, numbers }: { readonly texts: number; readonly numbers: number }): string {
  const document: { [key: string]: JsonText } = {}
  for (let i = 0; i < texts; i++) document[randomText(stream, 8)] = quoted(randomText(stream, 8))
  for (let i = 0; i < numbers; i++) document[randomText(stream, 8)] = randomDigits(stream, 8)
  return compactJson(document)
}
