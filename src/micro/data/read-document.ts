import { BSON, type Document } from 'mongodb'
import { Problem } from '../../errors.ts'
import { type DataSource, type DocumentName } from './data-source.ts'

/** Size as the specification counts it: of the file. */
export type ReadDocument = { readonly document: Document; readonly bytes: number }

/** A document as programs hold it: plain numbers, texts and dates; but 64-bit integers stay what they are, or they would be encoded as doubles. */
export async function readDocument(data: DataSource, name: DocumentName): Promise<ReadDocument> {
  const text = await data.text(name)
  try {
    const plain: Document = JSON.parse(text)
    return { document: isPlain(plain) ? plain : typed(text), bytes: Buffer.byteLength(text) }
  } catch (error) {
    throw new Problem(
      'usage',
      `${name} is not a document in Extended JSON: ${error instanceof Error ? error.message : error}`,
      { hint: 'Take the files of extended_bson.tgz, not those of extended_bson_legacy.tgz.', cause: error },
    )
  }
}

/** Whether JSON alone gives every value its type. Objects as the decoder of BSON makes them are slower to encode than those of JSON. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || value === (value | 0)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, one]) => !name.startsWith('$') && isPlain(one))
}

function typed(text: string): Document {
  const document: Document = BSON.EJSON.parse(text, { relaxed: false })
  return BSON.deserialize(BSON.serialize(document), { promoteLongs: false })
}
