import { type PlaceKey, Stream } from '../../random.ts'
import { randomText } from './random-text.ts'

/** `ldjson_multi/`: 565 MB in all. */
export const lineFiles = 100
export const linesPerFile = 5_000
/** With its line feed. */
export const bytesPerLine = 1_130

const pairsPerLine = 12
const textBytes = 80
/** Texts to choose from: a text of its own for every place would take a minute to make. */
const differentTexts = 4_096

/** The files of `ldjson_multi`, one after the other: lines with the same keys and other texts. */
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
