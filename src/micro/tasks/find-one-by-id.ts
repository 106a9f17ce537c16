import { corpusName } from '../collections.ts'
import { readDocument } from '../data/read-document.ts'
import { copies, manyTimes } from '../repeat.ts'
import { type MicroTask } from '../task.ts'

/** Finds documents one by one by `_id`. */
export const findOneById: MicroTask = {
  name: 'find-one-by-id',
  title: 'Find one by ID',
  group: 'single',
  countsIn: ['SingleBench', 'ReadBench'],
  data: ['tweet.json'],
  on: 'server',
  async prepare({ data, db }) {
    const { document, bytes } = await readDocument(data, 'tweet.json')
    const corpus = db.collection<{ _id: number }>(corpusName)
    await corpus.insertMany(copies(manyTimes, document).map((copy, index) => Object.assign(copy, { _id: index + 1 })))
    return {
      bytes: bytes * manyTimes,
      async iterate() {
        for (let id = 1; id <= manyTimes; id++) await corpus.findOne({ _id: id })
      },
    }
  },
}
