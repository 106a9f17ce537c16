import { type AnyBulkWriteOperation, type Collection, type Document } from 'mongodb'
import { freshCorpus } from '../collections.ts'
import { readDocument } from '../data/read-document.ts'
import { copies, manyTimes } from '../repeat.ts'
import { type MicroTask } from '../task.ts'

/** Deletes transfer no document, so they do not count in the size. */
const documentsMoved = 2 * manyTimes

/** Inserts, replaces and deletes small documents with `collection.bulkWrite`. */
export const collectionBulkWriteMixed: MicroTask = {
  name: 'small-doc-collection-bulk-write-mixed',
  title: 'Small doc Collection BulkWrite mixed operations',
  group: 'multi',
  countsIn: ['MultiBench', 'WriteBench'],
  data: ['small_doc.json'],
  on: 'server',
  async prepare({ data, db }) {
    const { document, bytes } = await readDocument(data, 'small_doc.json')
    let corpus: Collection<Document>
    let models: AnyBulkWriteOperation[]
    return {
      bytes: bytes * documentsMoved,
      async beforeEach() {
        corpus = await freshCorpus(db)
        models = copies(manyTimes, document).flatMap((copy) => [
          { insertOne: { document: copy } },
          { replaceOne: { filter: {}, replacement: { ...document } } },
          { deleteOne: { filter: {} } },
        ])
      },
      iterate: () => corpus.bulkWrite(models, { ordered: true }),
    }
  },
}
