import { type Collection, type Document } from 'mongodb'
import { freshCorpus } from '../collections.ts'
import { readDocument } from '../data/read-document.ts'
import { copies } from '../repeat.ts'
import { type MicroTask } from '../task.ts'
import { type DocumentSize, documentSizes } from './document-sizes.ts'

/** Inserts documents of one size one by one. */
export function insertOne(size: DocumentSize): MicroTask {
  const { title, file, times } = documentSizes[size]
  return {
    name: `${size}-doc-insert-one`,
    title: `${title} doc insertOne`,
    group: 'single',
    countsIn: ['SingleBench', 'WriteBench'],
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
          // The driver adds an _id to the document, so each insert needs a new copy.
          fresh = copies(times, document)
        },
        async iterate() {
          for (const copy of fresh) await corpus.insertOne(copy)
        },
      }
    },
  }
}
