import { type Document, deserialize } from 'bson'
import { headroomBytes } from '../../../src/protocol/bson/encoded.ts'
import { int32At } from '../../../src/protocol/bson/types.ts'
import { BsonWriter } from '../../../src/protocol/bson/writer.ts'
import { type FillBatch, beginBatch } from '../../../src/run/data/load.ts'

/** The documents of all batches, batch by batch. */
export async function documentsOfBatches(fill: FillBatch): Promise<readonly (readonly Document[])[]> {
  const out = new BsonWriter()
  const batches: (readonly Document[])[] = []
  for (;;) {
    beginBatch(out)
    const documents = await fill(out)
    if (documents === 0) return batches
    const batch = documentsIn(out)
    if (batch.length !== documents) throw new Error(`${documents} documents instead of ${batch.length}`)
    batches.push(batch)
  }
}

function documentsIn({ bytes, at }: BsonWriter): readonly Document[] {
  const documents: Document[] = []
  for (let start = headroomBytes; start < at; start += int32At(bytes, start))
    documents.push(deserialize(bytes.subarray(start, start + int32At(bytes, start))))
  return documents
}
