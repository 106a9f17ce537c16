import { headroomBytes } from '../../protocol/bson/encoded.ts'
import { type BsonWriter } from '../../protocol/bson/writer.ts'

/** Writes the documents of the next batch, back to back. @returns how many; 0 when there are no more. */
export type FillBatch = (out: BsonWriter) => number | Promise<number>

/** Enough to make the round trip small; larger ones cost the client more memory than they save. */
const maxBytes = 512 * 1024
const maxDocuments = 2000

/** Begins a batch where a message has room in front of it. */
export function beginBatch(out: BsonWriter): void {
  out.at = headroomBytes
}

/** Bytes of the documents that have been written. */
export const batchBytes = (out: BsonWriter): number => out.at - headroomBytes

/** Whether a batch takes no further document. One of any size is taken before that: a message has room for two of the largest. */
export const isFull = (out: BsonWriter, documents: number): boolean =>
  documents >= maxDocuments || batchBytes(out) >= maxBytes

/** The first rows of a data set, each batch made when it is asked for: while the batches before it are under way. */
export function generatedBatches(writeDocument: (row: number, out: BsonWriter) => void, rows: number): FillBatch {
  let row = 0
  return (out) => {
    const first = row
    while (row < rows && !isFull(out, row - first)) writeDocument(row++, out)
    return row - first
  }
}
