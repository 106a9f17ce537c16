import { replyTraits } from '../../src/load/engines/reply-traits.ts'
import { type Operation, type OwnReply } from '../../src/spec/operations/operation.ts'

/** Additions of a successful operation to the counts, by its reply. */
const replies: Readonly<Record<OwnReply, string>> = {
  document: 'the returned document: `documents`, 0 or 1 per operation.',
  cursor: 'the documents of the cursor, read to its end: `documents`.',
  insert: 'the document: `documents` and `inserted`, 1 per operation.',
  insertMany: 'the inserted documents: `documents` and `inserted`.',
  update: '`matched`, `modified` and `upserted`; `documents` is the sum of modified and upserted.',
  delete: '`deleted`, 0 or 1 per operation, which is also `documents`.',
  deleteMany: '`deleted`, which is also `documents`.',
  findAndModify: 'the effect on the document: `matched` and `modified`, or `upserted`; `documents` is 0 or 1.',
  findAndDelete: '`deleted`, which is also `documents`: 0 or 1 per operation.',
  count: 'the operation; the returned number is `matched`.',
  values: 'the operation; the number of returned values is `matched`.',
  bulkWrite:
    '`inserted`, `matched`, `modified`, `upserted` and `deleted` over all its writes; `documents` is the sum of inserted, modified, upserted and deleted.',
  command: 'the operation, and nothing else.',
  upload: 'the file: `documents` and `inserted`, 1 per operation.',
  download: 'the file: `documents`, 1 per operation.',
  function: 'the operation, and nothing else.',
}

/** Formats the counts of successful executions of an operation. */
export function describeCounts({ reply, carriesDocuments }: Pick<Operation, 'reply' | 'carriesDocuments'>): string {
  if (carriesDocuments) return `${replies[reply]} Bytes are counted as sent.`
  return replyTraits[reply].readsDocuments ? `${replies[reply]} Bytes are counted as returned.` : replies[reply]
}
