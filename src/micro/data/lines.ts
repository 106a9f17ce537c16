import { type PlaceKey, Stream } from '../../core/random.ts'
import { randomText } from './random-text.ts'

/** Number of files in `ldjson_multi/`, which has 565 MB in total. */
export const lineFiles = 100
/** Lines of each file. */
export const linesPerFile = 5_000
/** Bytes of a line, including its line feed. */
export const bytesPerLine = 1_130

const pairsPerLine = 12
const textBytes = 80
/** Number of texts to choose from: a new text for every place would take a minute to generate. */
const differentTexts = 4_096

/** The contents of the files of `ldjson_multi`: lines with the same keys and different texts. */
export function* lineFileContents(key: PlaceKey): Generator<Buffer> {
  const stream = new Stream(key).at(0)
  const slots = Array.from({ length: pairsPerLine }, () => `"${randomText(stream, 8)}":"${' '.repeat(textBytes)}"`)
  const line = `{${slots.join(',')}}\n`
  const places = [...line.matchAll(/ +/g)].map(({ index }) => index)
  const texts = Buffer.from(randomText(stream, differentTexts * textBytes))
  for (let file = 0; file < lineFiles; file++) {
    const content = Buffer.alloc(linesPerFile * bytesPerLine, line)
    for (let start = 0; start < content.length; start += bytesPerLine) {
      for (const place of places) {
        const text = stream.below(differentTexts) * textBytes
        texts.copy(content, start + place, text, text + textBytes)
      }
    }
    yield content
  }
}
