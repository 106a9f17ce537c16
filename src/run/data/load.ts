import { type Db } from 'mongodb'
import { type Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { type DataSet } from '../../spec/plan/data-set.ts'
import { findDataFile } from '../../spec/schema/data-file.ts'
import { type FillBatch, generatedBatches } from './batches.ts'
import { fileBatches, maxLine } from './file-batches.ts'
import { insertBatches } from './insert-batches.ts'
import { createInserters } from './inserter.ts'
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
  const { spec, writeDocument } = dataSet
  if (writeDocument === undefined || spec.rows === 0) return { source: 'generated', rows: 0, meanDocumentBytes: null }
  const fill = generatedBatches(writeDocument, spec.rows)
  return await load(db, dataSet, { fill, source: 'generated', expected: () => spec.rows }, context)
}

/** Inserts the documents of a file. */
export async function loadFile(db: Db, dataSet: DataSet, context: LoadContext): Promise<Filled> {
  const { file = '', rows } = dataSet.spec
  const found = findDataFile(file, context.folder)
  if (found.reason !== undefined)
    throw new Problem('spec-invalid', `The file of data ${found.reason}`, { hint: 'It was there when the run began.' })
  const reader = readLines(found.path, found.bytes, maxLine)
  const expected = (documents: number): number => rows || Math.round(documents / reader.fraction())
  return await load(db, dataSet, { fill: fileBatches(file, reader, rows), source: 'file', expected }, context)
}

type Documents = {
  readonly fill: FillBatch
  readonly source: Filled['source']
  /** How many there will be, when so many have been inserted. */
  readonly expected: (documents: number) => number
}

async function load(
  db: Db,
  { spec: { collection, options } }: DataSet,
  { fill, source, expected }: Documents,
  { clock, signal, onProgress }: LoadContext,
): Promise<Filled> {
  // Which documents a capped collection keeps depends on their order.
  const inOrder = options?.capped === true
  using inserters = createInserters({ db, collection, ordered: inOrder }, clock)
  const { documents, bytes } = await insertBatches(inserters, fill, {
    clock,
    signal,
    inOrder,
    onProgress: (done, ratePerSecond) => onProgress(done, expected(done), ratePerSecond),
  })
  return { source, rows: documents, meanDocumentBytes: documents > 0 ? bytes / documents : null }
}
