import type { Db } from 'mongodb'
import { Problem } from '../../core/errors.ts'
import { headroomBytes } from '../../protocol/bson/encoded.ts'
import { BsonWriter } from '../../protocol/bson/writer.ts'
import type { DataSet } from '../../spec/plan/data-set.ts'
import type { ColumnType } from '../../spec/schema/data-file-kinds.ts'
import { type FoundFile, findDataFile } from '../../spec/schema/data-file.ts'
import type { RowEnvironment } from '../row-run.ts'
import { readArchive } from './files/archive.ts'
import { readBson } from './files/bson.ts'
import { type Content, openContent } from './files/content.ts'
import { readCsv } from './files/csv.ts'
import type { Documents } from './files/documents.ts'
import { readJsonLines, readJsonList } from './files/json.ts'
import { type Inserters, createInserters } from './inserter.ts'
import type { Filled } from './make-collection.ts'

/** Environment for loading a data set, besides its spec. */
export type LoadContext = Pick<RowEnvironment, 'clock' | 'signal' | 'at' | 'emit' | 'folder'>

export async function loadRows(db: Db, dataSet: DataSet, context: LoadContext): Promise<Filled> {
  const { spec, writeDocument } = dataSet
  if (writeDocument === undefined || spec.rows === 0) return { source: 'generated', rows: 0, meanDocumentBytes: null }
  const fill = generatedBatches(writeDocument, spec.rows)
  return await load(db, dataSet, { fill, source: 'generated', expected: () => spec.rows }, context)
}

export async function loadFile(db: Db, dataSet: DataSet, context: LoadContext): Promise<Filled> {
  const { file = '', rows } = dataSet.spec
  const found = findDataFile(dataSet.spec, context.folder)
  if (found.reason !== undefined)
    throw new Problem('spec-invalid', `The file of data ${found.reason}`, { hint: 'It was there when the run began.' })
  const content = openContent(found.path, found.bytes, found.isGzip)
  const source = openDocuments(file, found, content, dataSet.spec.columns)
  const expected = (documents: number): number => rows || Math.round(documents / content.fraction())
  try {
    return await load(db, dataSet, { fill: fileBatches(source, rows), source: 'file', expected }, context)
  } finally {
    await source.close()
  }
}

type Filling = {
  readonly fill: FillBatch
  readonly source: Filled['source']
  /** How many there will be, when a number of them has been inserted. */
  readonly expected: (documents: number) => number
}

async function load(
  db: Db,
  { spec: { collection, options } }: DataSet,
  { fill, source, expected }: Filling,
  { clock, signal, at, emit }: LoadContext,
): Promise<Filled> {
  // Which documents a capped collection keeps depends on their order.
  const inOrder = options?.capped === true
  using inserters = createInserters({ db, collection, ordered: inOrder }, clock)
  const { documents, bytes } = await insertBatches(inserters, fill, {
    clock,
    signal,
    inOrder,
    onProgress: (done, ratePerSecond) =>
      emit({ kind: 'load', at, collection, documents: done, of: expected(done), ratePerSecond }),
  })
  return { source, rows: documents, meanDocumentBytes: documents > 0 ? bytes / documents : null }
}

const batchesInFlight = 4

/** The number of documents inserted, and their size in BSON bytes. */
type Inserted = { readonly documents: number; readonly bytes: number }

/** Environment for inserting batches, besides the documents. */
type InsertContext = Pick<LoadContext, 'clock' | 'signal'> & {
  /** Whether the documents must come in their order: one batch at a time. */
  readonly inOrder: boolean
  readonly onProgress: (documents: number, ratePerSecond: number) => void
}

/**
 * Inserts batches, several at a time, each over a connection and out of a buffer of its own, and asks for the next one only
 * when one is done: a source of any length needs the memory of a few. For what it comes to see `bench/preload.ts`.
 */
export async function insertBatches(
  inserters: Inserters,
  fill: FillBatch,
  { clock, signal, inOrder, onProgress }: InsertContext,
): Promise<Inserted> {
  const startMs = clock.now()
  let documents = 0
  let bytes = 0
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])

  async function insertUntilOneFails(): Promise<void> {
    try {
      using inserter = await inserters.open()
      const out = new BsonWriter()
      while (!stop.aborted) {
        beginBatch(out)
        const filled = await fill(out)
        if (filled === 0) return
        await inserter.insert(out)
        documents += filled
        bytes += batchBytes(out)
        onProgress(documents, (documents / (clock.now() - startMs)) * 1000)
      }
    } catch (error) {
      failed.abort()
      throw error
    }
  }

  // All have ended when this function does: nothing is sent, and nothing reported, after it.
  const workers = Array.from({ length: inOrder ? 1 : batchesInFlight }, insertUntilOneFails)
  await Promise.allSettled(workers)
  await Promise.all(workers)
  signal.throwIfAborted()
  return { documents, bytes }
}

/**
 * Batches of the documents of a file.
 * @param most How many documents; 0 is all.
 */
export function fileBatches(source: Documents, most: number): FillBatch {
  const isWanted = (documents: number): boolean => most === 0 || documents < most
  let documents = 0
  let last: Promise<number> = Promise.resolve(0)

  async function fill(out: BsonWriter): Promise<number> {
    const first = documents
    while (!isFull(out, documents - first) && isWanted(documents)) {
      const wrote = source.write(out)
      if (!(typeof wrote === 'boolean' ? wrote : await wrote)) break
      documents += 1
    }
    if (documents === first) await source.close()
    return documents - first
  }
  // One after the other, as the documents come.
  return (out) => (last = last.then(() => fill(out)))
}

/** Writes the documents of the next batch, back to back. @returns how many; 0 when there are no more. */
export type FillBatch = (out: BsonWriter) => number | Promise<number>

/** Enough to make the round trip small; larger ones cost the client more memory than they save. */
const maxBytes = 512 * 1024
const maxDocuments = 2000

/** Begins a batch where a message has room in front of it. */
export function beginBatch(out: BsonWriter): void {
  out.at = headroomBytes
}

/** Bytes of the documents that have been written. */
const batchBytes = (out: BsonWriter): number => out.at - headroomBytes

/** Whether a batch takes no further document. One of any size is taken before that: a message has room for two of the largest. */
const isFull = (out: BsonWriter, documents: number): boolean => documents >= maxDocuments || batchBytes(out) >= maxBytes

/** The first rows of a data set, each batch made when it is asked for: while the batches before it are under way. */
export function generatedBatches(writeDocument: (row: number, out: BsonWriter) => void, rows: number): FillBatch {
  let row = 0
  return (out) => {
    const first = row
    while (row < rows && !isFull(out, row - first)) writeDocument(row++, out)
    return row - first
  }
}

/**
 * Opens the documents of a file by its kind.
 * @param file As the spec names it, for messages.
 */
export function openDocuments(
  file: string,
  { kind, namespace = { database: '', collection: '' } }: Pick<FoundFile, 'kind' | 'namespace'>,
  content: Content,
  columns?: Readonly<Record<string, ColumnType>>,
): Documents {
  const readers: Readonly<Record<FoundFile['kind'], () => Documents>> = {
    lines: () => readJsonLines(file, content),
    json: () => readJsonList(file, content),
    csv: () => readCsv(file, content, columns),
    bson: () => readBson(file, content),
    archive: () => readArchive(file, content, namespace),
  }
  return readers[kind]()
}
