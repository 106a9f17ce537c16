import { type Json } from '../../core/json.ts'
import { placeKey, Stream } from '../../core/random.ts'
import { isNumber, toNumber } from '../../language/values/bson-types.ts'
import { type Draw } from '../../language/values/draw-context.ts'
import { type OperationContext } from './operation.ts'

const largestKB = 16 * 1024 * 1024

/** 1 MiB of random bytes, the same in every run: files are cut from it, which copies nothing and draws one number. */
const sourceBytes = 2 ** 20
let source: Uint8Array | undefined

function randomBytes(): Uint8Array {
  if (source === undefined) {
    const stream = new Stream(placeKey(1, 'file content')).at(0)
    const words = Uint32Array.from({ length: sourceBytes / 4 }, () => stream.uint32())
    source = new Uint8Array(words.buffer)
  }
  return source
}

/**
 * The bytes of a file, in pieces of a maximum size. Where in the random bytes they begin is drawn: files differ,
 * and no server can compress them. Null where the size is no size.
 */
export function fileContent(size: Json, pieceBytes: number, context: OperationContext): Draw<Uint8Array[] | null> {
  const drawSize = context.computed(size, 'sizeKB')
  const drawStart = context.computed({ '@int': { min: 0, max: sourceBytes - 1 } }, 'content')
  return (drawContext) => {
    const drawn = drawSize(drawContext)
    const start = Number(drawStart(drawContext))
    const kilobytes = isNumber(drawn) ? toNumber(drawn) : NaN
    if (!(kilobytes >= 0 && kilobytes <= largestKB)) return null
    const bytes = Math.round(kilobytes * 1024)
    // What goes to the server are these bytes, not the numbers that they were made of.
    drawContext.bytes = bytes
    return cut(start, bytes, pieceBytes)
  }
}

/** Goes round and round the source. */
function cut(start: number, bytes: number, pieceBytes: number): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let done = 0; done < bytes;) {
    const from = (start + done) % sourceBytes
    const piece = randomBytes().subarray(from, from + Math.min(pieceBytes, bytes - done))
    pieces.push(piece)
    done += piece.byteLength
  }
  return pieces
}
