import { type Collection, type Document } from 'mongodb'
import { freshCorpus } from '../collections.ts'
import { sumFileSizes } from '../files.ts'
import { readLines } from '../json-lines.ts'
import { severalAtOnce } from '../repeat.ts'
import { type MicroTask } from '../task.ts'

/** Imports several LDJSON files concurrently. */
export const ldjsonImport: MicroTask = {
  name: 'ldjson-multi-import',
  title: 'LDJSON multi-file import',
  group: 'parallel',
  countsIn: ['ParallelBench', 'WriteBench'],
  data: ['ldjson_multi'],
  on: 'server',
  async prepare({ data, db }) {
    const files = await data.files('ldjson_multi')
    let corpus: Collection<Document>
    return {
      bytes: await sumFileSizes(files),
      async beforeEach() {
        corpus = await freshCorpus(db)
      },
      iterate: () => severalAtOnce(files, async (file) => corpus.insertMany(await readLines(file), { ordered: false })),
    }
  },
}
