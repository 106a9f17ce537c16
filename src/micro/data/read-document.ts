import { BSON, type Document } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { type DataSource, type DocumentName } from './data-source.ts'

/** A document with its size as the specification counts it: that of the file. */
export type ReadDocument = { readonly document: Document; readonly bytes: number }

/** Reads a document with JavaScript types. 64-bit integers stay `Long`, because numbers would be encoded as doubles. */
export async function readDocument(data: DataSource, name: DocumentName): Promise<ReadDocument> {
  const text = await data.text(name)
  try {
    const plain: Document = JSON.parse(text)
    return { document: isPlain(plain) ? plain : typed(text), bytes: Buffer.byteLength(text) }
  } catch (error) {
    throw new Problem(
      'usage',
      `${name} is not a document in Extended JSON: ${error instanceof Error ? error.message : error}`,
      { hint: 'Take the files of extended_bson.tgz, not of extended_bson_legacy.tgz.', cause: error },
    )
  }
}

/** Whether JSON determines all types. Objects from the BSON decoder are slower to encode than objects from `JSON.parse`. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || value === (value | 0)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, one]) => !name.startsWith('$') && isPlain(one))
}

function typed(text: string): Document {
  const document: Document = BSON.EJSON.parse(text, { relaxed: false })
  return BSON.deserialize(BSON.serialize(document), { promoteLongs: false })
}
