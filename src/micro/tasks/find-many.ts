import { corpusName } from '../collections.ts'
import { readDocument } from '../data/read-document.ts'
import { copies, manyTimes } from '../repeat.ts'
import { type MicroTask } from '../task.ts'

/** Finds many documents and reads the cursor to its end. */
export const findMany: MicroTask = {
  name: 'find-many',
  title: 'Find many and empty the cursor',
  group: 'multi',
  countsIn: ['MultiBench', 'ReadBench'],
  data: ['tweet.json'],
  on: 'server',
  async prepare({ data, db }) {
    const { document, bytes } = await readDocument(data, 'tweet.json')
    const corpus = db.collection(corpusName)
    await corpus.insertMany(copies(manyTimes, document))
    return {
      bytes: bytes * manyTimes,
      async iterate() {
        const cursor = corpus.find({})
        while ((await cursor.next()) !== null);
      },
    }
  },
}
