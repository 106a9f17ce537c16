import { type AnyClientBulkWriteModel, type Document } from 'mongodb'
import { corpusName, freshCorpus } from '../collections.ts'
import { readDocument } from '../data/read-document.ts'
import { copies } from '../repeat.ts'
import { type MicroTask } from '../task.ts'
import { type DocumentSize, documentSizes } from './document-sizes.ts'

/** Inserts documents of one size with `client.bulkWrite`. */
export function clientBulkWrite(size: DocumentSize): MicroTask {
  const { title, file, times } = documentSizes[size]
  return {
    name: `${size}-doc-client-bulk-write`,
    title: `${title} doc Client BulkWrite insert`,
    group: 'multi',
    countsIn: ['MultiBench', 'WriteBench'],
    data: [file],
    on: 'server',
    sinceServer: 8,
    async prepare({ data, client, db }) {
      const { document, bytes } = await readDocument(data, file)
      const namespace = `${db.databaseName}.${corpusName}`
      let models: AnyClientBulkWriteModel<Document>[]
      return {
        bytes: bytes * times,
        async beforeEach() {
          await freshCorpus(db)
          models = copies(times, document).map((copy) => ({ name: 'insertOne', namespace, document: copy }))
        },
        iterate: () => client.bulkWrite(models, { ordered: true }),
      }
    },
  }
}
