import { z } from 'zod'
import { mixIn, type Stream } from '../../core/random.ts'
import { bsonType } from '../../protocol/bson/types.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'
import { type DrawContext } from '../values/draw-context.ts'
import { defineGenerator } from './generator.ts'
import { compileLength, lengthUpTo } from './length.ts'

const pieceLength = 1024

/** Draws a long text in pieces: letter by letter, V8 would need 32 bytes for each letter meanwhile. */
function drawPieces(stream: Stream, letters: readonly string[], total: number): string {
  const pieces: string[] = []
  const piece: (string | undefined)[] = []
  for (let left = total; left > 0; left -= pieceLength) {
    piece.length = Math.min(left, pieceLength)
    for (let i = 0; i < piece.length; i++) piece[i] = letters[stream.below(letters.length)]
    pieces.push(piece.join(''))
  }
  return pieces.join('')
}

const longest = 16_000_000

export const string = defineGenerator({
  keyword: '@string',
  summary: 'A text of random letters.',
  args: z.strictObject({
    length: lengthUpTo(longest)
      .prefault(16)
      .describe('Number of letters, or {"min", "max"}, both included. Default 16.'),
    alphabet: z
      .string()
      .min(1)
      .default('abcdefghijklmnopqrstuvwxyz')
      .describe('Letters to draw from, uniformly. Default a to z.'),
  }),
  example: { length: 8 },
  drawable: { length: 0 },
  compile({ length, alphabet }, context) {
    const stream = context.stream()
    const letters = [...alphabet]
    const drawTotal = compileLength(length, stream, context, { name: 'length', most: longest })
    const draw = (drawContext: DrawContext): string => {
      const total = drawTotal(drawContext)
      if (total > pieceLength) {
        context.spend(total)
        return drawPieces(stream, letters, total)
      }
      let text = ''
      for (let left = total; left > 0; left--) text += letters[stream.below(letters.length)]
      return text
    }
    const codes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
    const isAscii = /^[\0-\x7f]*$/.test(alphabet)
    return isAscii ? { draw, write } : draw

    function write(drawContext: DrawContext, out: BsonWriter): number {
      const total = drawTotal(drawContext)
      out.int32(total + 1)
      out.reserve(total + 1)
      const { bytes, at } = out
      // As `hashText` does.
      let hash = total
      for (let i = 0; i < total; i++) {
        const code = codes[stream.below(codes.length)] as number
        bytes[at + i] = code
        hash = mixIn(hash, code)
      }
      bytes[at + total] = 0
      out.at = at + total + 1
      drawContext.hash = mixIn(drawContext.hash, hash)
      return bsonType.string
    }
  },
})
