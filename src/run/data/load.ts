import { type Db } from 'mongodb'
import { type Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'
import { type DataSet } from '../../plan/data-set.ts'
import { findDataFile } from '../../schema/data-file.ts'
import { type Batch, generatedBatches } from './batches.ts'
import { fileBatches, maxLine } from './file-batches.ts'
import { insertBatches } from './insert-batches.ts'
import { type Filled } from './make-collection.ts'
import { readLines } from './read-lines.ts'

/** What loading a data set needs besides its spec. */
export type LoadContext = {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Where relative paths of files begin. */
  readonly folder: string
  /** @param of How many there will be; of a file, estimated from its size. */
  readonly onProgress: (documents: number, of: number, ratePerSecond: number) => void
}

/** Inserts the rows that a data set describes. */
export async function loadRows(db: Db, dataSet: DataSet, context: LoadContext): Promise<Filled> {
  const { spec, documentOf } = dataSet
  const rows = documentOf ? spec.rows : 0
  const batches = documentOf ? generatedBatches(documentOf, rows) : [][Symbol.iterator]()
  return await load(db, dataSet, batches, 'generated', () => rows, context)
}

/** Inserts the documents of a file. */
export async function loadFile(db: Db, dataSet: DataSet, context: LoadContext): Promise<Filled> {
  const { file = '', rows } = dataSet.spec
  const found = findDataFile(file, context.folder)
  if (found.reason !== undefined)
    throw new Problem('spec-invalid', `The file of data ${found.reason}`, { hint: 'It was there when the run began.' })
  const reader = readLines(found.path, found.bytes, maxLine)
  const expected = (documents: number): number => rows || Math.round(documents / reader.fraction())
  return await load(db, dataSet, fileBatches(file, reader, rows), 'file', expected, context)
}

async function load(
  db: Db,
  { spec }: DataSet,
  batches: Iterator<Batch> | AsyncIterator<Batch>,
  source: Filled['source'],
  expected: (documents: number) => number,
  { clock, signal, onProgress }: LoadContext,
): Promise<Filled> {
  const { documents, bytes } = await insertBatches(db, spec.collection, batches, {
    clock,
    signal,
    // Which documents a capped collection keeps depends on their order.
    inOrder: spec.options?.capped === true,
    onProgress: (done, ratePerSecond) => onProgress(done, expected(done), ratePerSecond),
  })
  return { source, rows: documents, meanDocumentBytes: documents > 0 ? bytes / documents : null }
}
