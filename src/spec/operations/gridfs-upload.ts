import { z } from 'zod'
import type { Json } from '../../core/json.ts'
import { Stream, placeKey } from '../../core/random.ts'
import { value } from '../../language/value-schema.ts'
import { isNumber, toNumber } from '../../language/values/bson-types.ts'
import type { Draw } from '../../language/values/draw-context.ts'
import { bucketFields } from './bucket.ts'
import { type OperationContext, defineOperation, optionsCall } from './operation.ts'

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
function fileContent(size: Json, pieceBytes: number, context: OperationContext): Draw<Uint8Array[] | null> {
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

/** The driver's own. */
const defaultChunkBytes = 255 * 1024

const options = {
  id: value.optional().describe('The `_id` of the file. Default: an ObjectId that the driver makes.'),
  chunkSizeBytes: z
    .int()
    .min(1)
    .max(16_000_000)
    .optional()
    .describe('Size of a chunk in bytes. Default 261120 (255 KB).'),
}

export const gridfsUpload = defineOperation({
  kind: 'gridfsUpload',
  summary: 'Store a file of random bytes in a GridFS bucket: a stream, chunk by chunk.',
  needsCollection: false,
  fields: {
    ...bucketFields,
    filename: value.describe(
      'Name of the file. With `@nextRow` in it, every file has its own name, which `@pickRow` finds in a later phase.',
    ),
    sizeKB: value.describe('Size of the file in KB (1024 bytes), 0 to 16777216.'),
    ...options,
  },
  reply: 'upload',
  carriesDocuments: true,
  documentsPerCall: () => 1,
  compile(spec, context) {
    const filename = context.value(spec.filename, 'filename')
    const readOptions = optionsCall(spec, Object.keys(options), context)
    const content = fileContent(spec.sizeKB, spec.chunkSizeBytes ?? defaultChunkBytes, context)
    return (drawContext) => {
      const name = filename(drawContext)
      const given = readOptions(drawContext)
      return { filename: name, content: content(drawContext), options: given }
    }
  },
})
