import { BsonWriter } from '../../src/protocol/bson/writer.ts'
import { type DataSet } from '../../src/spec/plan/data-set.ts'
import { fail } from './fail.ts'

/** Documents of the first rows of a data set. */
export const makeDocuments = ({ documentOf }: DataSet, count: number) =>
  Array.from({ length: count }, (_, row) => documentOf?.(row).document ?? fail('no document'))

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The first rows of a data set as they are written into one buffer, each behind the one before it. */
export function writeDocuments({ writeDocument }: DataSet, count: number): readonly string[] {
  const out = new BsonWriter()
  return Array.from({ length: count }, (_, row) => {
    const start = out.at
    writeDocument?.(row, out)
    return toHex(out.bytes.subarray(start, out.at))
  })
}
