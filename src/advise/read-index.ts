import { Problem } from '../core/errors.ts'
import { type BsonDocument } from '../language/values/bson-types.ts'
import { readDocument } from '../sources/init/query/read-query.ts'
import { indexKey, indexSpec } from '../spec/schema/data-schema.ts'
import { type Candidate, type IndexKey } from './candidate.ts'

/** Reads an index that the user names: its key, or an object with its key and its options as the server takes them. */
export function readIndex(text: string, collection: string): Candidate {
  const document = readDocument('--index', text)
  const isKey = indexKey.safeParse(document).success
  const index = indexSpec.safeParse(isKey ? { key: document } : document)
  if (!index.success)
    throw new Problem('usage', `--index ${text} is not an index`, {
      hint: 'Write its fields in order, such as {"customer":1,"at":-1}, or its key with options: {"key":{"customer":1},"unique":true}. Values are 1, -1, "text", "hashed", "2d" and "2dsphere".',
    })
  const { key, name: _, hidden: __, ...options } = isKey ? { key: document } : document
  if (options['expireAfterSeconds'] !== undefined)
    throw new Problem('refused', 'An index with "expireAfterSeconds" would delete documents, even while it is hidden', {
      hint: 'Leave the option out: queries use the index in the same way.',
    })
  return {
    collection,
    key: Object.entries(key as BsonDocument) as unknown as IndexKey,
    interchangeable: 0,
    share: 1,
    options,
  }
}
