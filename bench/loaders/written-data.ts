import { open } from 'node:fs/promises'
import path from 'node:path'
import { type CreateCollectionOptions } from 'mongodb'
import { BsonWriter } from '../../src/protocol/bson/writer.ts'
import { generatedBatches } from '../../src/run/data/load.ts'
import { createDataSet, type DataSet } from '../../src/spec/plan/data-set.ts'
import { type DataSetSpec } from '../../src/spec/schema/data-schema.ts'
import { type Loaded } from './loader.ts'

/** Writes the documents of data sets to files in a folder. */
export async function writeData(
  folder: string,
  data: readonly DataSetSpec[],
  seed: number,
): Promise<readonly Loaded[]> {
  const written: Loaded[] = []
  for (const [i, spec] of data.entries()) {
    const create = (): DataSet => createDataSet(spec, ['data', i], { seed, report, data })
    const { collection, rows } = spec
    const file = path.join(folder, `${collection}.bson`)
    written.push({
      collection,
      options: { ...(spec.options as CreateCollectionOptions | undefined) },
      count: rows,
      bytes: await writeRows(file, create(), rows),
      file,
      make: () => generatedBatches(requireWriter(create()), rows),
    })
  }
  return written
}

const report = (_path: unknown, reason: string): never => {
  throw new Error(reason)
}

const bytesPerWrite = 2 ** 20

async function writeRows(file: string, dataSet: DataSet, rows: number): Promise<number> {
  const write = requireWriter(dataSet)
  const out = new BsonWriter(2 * bytesPerWrite)
  await using handle = await open(file, 'w')
  let bytes = 0
  for (let row = 0; row < rows; row++) {
    write(row, out)
    if (out.at < bytesPerWrite && row < rows - 1) continue
    bytes += (await handle.write(out.bytes, 0, out.at)).bytesWritten
    out.at = 0
  }
  return bytes
}

function requireWriter({ writeDocument, spec }: DataSet): NonNullable<DataSet['writeDocument']> {
  if (writeDocument === undefined) throw new Error(`${spec.collection} has no documents`)
  return writeDocument
}
