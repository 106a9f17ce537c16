import { BSON } from 'mongodb'
import { readDocument } from '../data/read-document.ts'
import { manyTimes } from '../repeat.ts'
import { type MicroTask } from '../task.ts'
import { type BsonShape, bsonShapes } from './bson-shapes.ts'

/** Decodes BSON documents of one shape. */
export function bsonDecoding(shape: BsonShape): MicroTask {
  const { title, file } = bsonShapes[shape]
  return {
    name: `${shape}-bson-decoding`,
    title: `${title} BSON decoding`,
    group: 'bson',
    countsIn: ['BSONBench'],
    data: [file],
    on: 'client',
    async prepare(data) {
      const { document, bytes } = await readDocument(data, file)
      const encoded = BSON.serialize(document)
      return {
        bytes: bytes * manyTimes,
        iterate() {
          for (let i = 0; i < manyTimes; i++) BSON.deserialize(encoded)
        },
      }
    },
  }
}
