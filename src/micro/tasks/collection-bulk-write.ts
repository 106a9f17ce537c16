import { type AnyBulkWriteOperation, type Collection, type Document } from 'mongodb'
import { freshCorpus } from '../collections.ts'
import { readDocument } from '../data/read-document.ts'
import { copies } from '../repeat.ts'
import { type MicroTask } from '../task.ts'
import { type DocumentSize, documentSizes } from './document-sizes.ts'

/** Inserts documents of one size with `collection.bulkWrite`. */
export function collectionBulkWrite(size: DocumentSize): MicroTask {
  const { title, file, times } = documentSizes[size]
  return {
    name: `${size}-doc-collection-bulk-write`,
    title: `${title} doc Collection BulkWrite insert`,
    group: 'multi',
    countsIn: ['MultiBench', 'WriteBench'],
    data: [file],
    on: 'server',
    async prepare({ data, db }) {
      const { document, bytes } = await readDocument(data, file)
      let corpus: Collection<Document>
      let models: AnyBulkWriteOperation[]
      return {
        bytes: bytes * times,
        async beforeEach() {
          corpus = await freshCorpus(db)
          models = copies(times, document).map((copy) => ({ insertOne: { document: copy } }))
        },
        iterate: () => corpus.bulkWrite(models, { ordered: true }),
      }
    },
  }
}
