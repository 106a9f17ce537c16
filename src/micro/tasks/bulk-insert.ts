import { type Collection, type Document } from 'mongodb'
import { freshCorpus } from '../collections.ts'
import { readDocument } from '../data/read-document.ts'
import { copies } from '../repeat.ts'
import { type MicroTask } from '../task.ts'
import { type DocumentSize, documentSizes } from './document-sizes.ts'

/** Inserts documents of one size with `insertMany`. */
export function bulkInsert(size: DocumentSize): MicroTask {
  const { title, file, times } = documentSizes[size]
  return {
    name: `${size}-doc-bulk-insert`,
    title: `${title} doc bulk insert`,
    group: 'multi',
    countsIn: ['MultiBench', 'WriteBench'],
    data: [file],
    on: 'server',
    async prepare({ data, db }) {
      const { document, bytes } = await readDocument(data, file)
      let corpus: Collection<Document>
      let fresh: Document[]
      return {
        bytes: bytes * times,
        async beforeEach() {
          corpus = await freshCorpus(db)
          fresh = copies(times, document)
        },
        iterate: () => corpus.insertMany(fresh, { ordered: true }),
      }
    },
  }
}
