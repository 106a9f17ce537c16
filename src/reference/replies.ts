import { replyTraits } from '../engines/reply-traits.ts'
import { type Operation, type OwnReply } from '../operations/operation.ts'

/** What a successful call adds to the counts, by how its reply is read. */
const replies: Readonly<Record<OwnReply, string>> = {
  document: 'the document that came: `documents`, 0 or 1 per call.',
  cursor: 'the documents that the cursor gave, read to its end: `documents`.',
  insert: 'the document: `documents` and `inserted`, 1 per call.',
  insertMany: 'the documents that the server took: `documents` and `inserted`.',
  update: '`matched`, `modified` and `upserted`; `documents` is modified and upserted ones together.',
  delete: '`deleted`, 0 or 1 per call, which is also `documents`.',
  deleteMany: '`deleted`, which is also `documents`.',
  findAndModify: 'what was done to the one document: `matched` and `modified`, or `upserted`; `documents` is 0 or 1.',
  findAndDelete: '`deleted`, which is also `documents`: 0 or 1 per call.',
  count: 'the call; the number that came back is `matched`.',
  values: 'the call; the number of values that came is `matched`.',
  bulkWrite:
    '`inserted`, `matched`, `modified`, `upserted` and `deleted` over all writes of the call; `documents` is inserted, modified, upserted and deleted ones together.',
  command: 'the call, and nothing else.',
  upload: 'the file: `documents` and `inserted`, 1 per call.',
  download: 'the file: `documents`, 1 per call.',
}

/** What successful calls of an operation count. */
export function countsOf({ reply, carriesDocuments }: Pick<Operation, 'reply' | 'carriesDocuments'>): string {
  if (carriesDocuments) return `${replies[reply]} Bytes are those that calls carry.`
  return replyTraits[reply].readsDocuments ? `${replies[reply]} Bytes are those that came.` : replies[reply]
}
