import { type Built } from '../../plan/data-set.ts'

/** Documents for one call. */
export type Batch = {
  readonly documents: readonly Record<string, unknown>[]
  /** Their BSON bytes. */
  readonly bytes: number
}

/** Enough to make the round trip small; larger ones cost the client more memory than they save. A larger document is sent alone. */
const maxBytes = 512 * 1024
const maxDocuments = 2000

/** Collects documents into batches. Both calls hand back a batch when one is ready. */
export type Batcher = {
  readonly add: (built: Built) => Batch | undefined
  readonly rest: () => Batch | undefined
}

/** Creates an empty batcher. */
export function createBatcher(): Batcher {
  let documents: Record<string, unknown>[] = []
  let bytes = 0

  function rest(): Batch | undefined {
    if (documents.length === 0) return undefined
    const ready = { documents, bytes }
    documents = []
    bytes = 0
    return ready
  }

  return {
    add(built) {
      const isFull = documents.length >= maxDocuments || bytes + built.bytes > maxBytes
      const ready = isFull ? rest() : undefined
      documents.push(built.document)
      bytes += built.bytes
      return ready
    },
    rest,
  }
}

/** The first rows of a data set, each batch made when it is asked for: while the batches before it are under way. */
export function* generatedBatches(documentOf: (row: number) => Built, rows: number): Generator<Batch, void> {
  const batcher = createBatcher()
  for (let row = 0; row < rows; row++) {
    const ready = batcher.add(documentOf(row))
    if (ready) yield ready
  }
  const last = batcher.rest()
  if (last) yield last
}
