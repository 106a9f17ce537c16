import { BSON } from 'mongodb'
import { readDocument } from '../data/read-document.ts'
import { manyTimes } from '../repeat.ts'
import { type MicroTask } from '../task.ts'
import { type BsonShape, bsonShapes } from './bson-shapes.ts'

/** Encodes documents of one shape to BSON. */
export function bsonEncoding(shape: BsonShape): MicroTask {
  const { title, file } = bsonShapes[shape]
  return {
    name: `${shape}-bson-encoding`,
    title: `${title} BSON encoding`,
    group: 'bson',
    countsIn: ['BSONBench'],
    data: [file],
    on: 'client',
    async prepare(data) {
      const { document, bytes } = await readDocument(data, file)
      return {
        bytes: bytes * manyTimes,
        iterate() {
          for (let i = 0; i < manyTimes; i++) BSON.serialize(document)
        },
      }
    },
  }
}
