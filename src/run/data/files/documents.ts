import { Problem } from '../../../core/errors.ts'
import { type BsonWriter } from '../../../protocol/bson/writer.ts'

/** The documents of a file, one after the other. */
export type Documents = {
  /** Writes the next document. False when there are no more. */
  readonly write: (out: BsonWriter) => boolean | Promise<boolean>
  /** Lets go of the file, also before its end. */
  readonly close: () => Promise<unknown>
}

/** Bytes of a line, and of a document: the server takes no larger ones. */
export const maxDocument = 16 * 1024 * 1024

/** Reads the pieces of a file. One that the system cannot read to the end is no bug of ours. */
export async function* readable<Piece>(file: string, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece, void> {
  try {
    yield* pieces
  } catch (error) {
    if (error instanceof Problem) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem('spec-invalid', `${file} cannot be read: ${reason}`, {
      hint: 'Write or copy the file again, or name another as "file" in the spec.',
    })
  }
}

/** Documents that are written one by one from the pieces of a file. @param write Whether the piece held a document. */
export function createDocuments<Piece>(
  pieces: AsyncGenerator<Piece, void>,
  write: (piece: Piece, out: BsonWriter) => boolean,
): Documents {
  return {
    async write(out) {
      for (;;) {
        const { value: piece, done } = await pieces.next()
        if (done === true) return false
        if (write(piece, out)) return true
      }
    },
    close: () => pieces.return(),
  }
}
