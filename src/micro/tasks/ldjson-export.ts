import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../../core/files.ts'
import { corpusName } from '../collections.ts'
import { sumFileSizes } from '../files.ts'
import { readLines } from '../json-lines.ts'
import { severalAtOnce } from '../repeat.ts'
import { type MicroTask } from '../task.ts'

const documentsPerFile = 5_000

/** Exports a collection to several LDJSON files concurrently. */
export const ldjsonExport: MicroTask = {
  name: 'ldjson-multi-export',
  title: 'LDJSON multi-file export',
  group: 'parallel',
  countsIn: ['ParallelBench', 'ReadBench'],
  data: ['ldjson_multi'],
  on: 'server',
  async prepare({ data, db, workFolder }) {
    const files = await data.files('ldjson_multi')
    const corpus = db.collection<{ _id: number }>(corpusName)
    // Numbered ids, so that ranges of documents can be read concurrently by the _id index.
    await severalAtOnce(files, async (file, index) => {
      const documents = (await readLines(file)).map((document, line) =>
        Object.assign(document, { _id: index * documentsPerFile + line }),
      )
      await corpus.insertMany(documents, { ordered: false })
    })
    const folder = join(workFolder, 'ldjson_export')
    await mkdir(folder, { recursive: true })
    return {
      bytes: await sumFileSizes(files),
      iterate: () =>
        severalAtOnce(files, async (_, index) => {
          const first = index * documentsPerFile
          const documents = await corpus.find({ _id: { $gte: first, $lt: first + documentsPerFile } }).toArray()
          const lines = documents.map((document) => `${JSON.stringify(document)}\n`)
          await writeDurably(join(folder, `${index}.json`), lines.join(''))
        }),
    }
  },
}
