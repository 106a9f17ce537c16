import { type AnyClientBulkWriteModel, type Document } from 'mongodb'
import { dropCollections, numberedCorpora } from '../collections.ts'
import { readDocument } from '../data/read-document.ts'
import { copies, manyTimes } from '../repeat.ts'
import { type MicroTask } from '../task.ts'

/** Deletes move no document, so they do not count in the size. */
const documentsMoved = 2 * manyTimes

/** Inserts, replaces and deletes small documents with `client.bulkWrite`. */
export const clientBulkWriteMixed: MicroTask = {
  name: 'small-doc-client-bulk-write-mixed',
  title: 'Small doc Client BulkWrite mixed operations',
  group: 'multi',
  countsIn: ['MultiBench', 'WriteBench'],
  data: ['small_doc.json'],
  on: 'server',
  sinceServer: 8,
  async prepare({ data, client, db }) {
    const { document, bytes } = await readDocument(data, 'small_doc.json')
    const namespaces = numberedCorpora.map((name) => `${db.databaseName}.${name}`)
    let models: AnyClientBulkWriteModel<Document>[]
    return {
      bytes: bytes * documentsMoved,
      async beforeEach() {
        await dropCollections(db, numberedCorpora)
        for (const name of numberedCorpora) await db.createCollection(name)
        models = copies(manyTimes, document).flatMap((copy, index): AnyClientBulkWriteModel<Document>[] => {
          const namespace = namespaces[index % namespaces.length] ?? ''
          return [
            { name: 'insertOne', namespace, document: copy },
            { name: 'replaceOne', namespace, filter: {}, replacement: { ...document } },
            { name: 'deleteOne', namespace, filter: {} },
          ]
        })
      },
      iterate: () => client.bulkWrite(models, { ordered: true }),
    }
  },
}
