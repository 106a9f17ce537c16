import { serialize } from 'bson'
import { BsonWriter } from '../src/protocol/bson/writer.ts'
import { createDataSet, type DataSet } from '../src/spec/plan/data-set.ts'
import { dataSet } from '../src/spec/schema/data-schema.ts'
import { type Bench, median } from './benchmark.ts'

const sizesKB = [1, 4, 256]
const bytesPerRound = 16 * 1024 * 1024
const rounds = 5
/** Most of the first ones are slower, until V8 has compiled them. */
const roundsOfBoth = 15

const kinds = {
  '1 KB of 42 typed fields': { '@filler': { sizeKB: 1, fields: { _id: { '@row': {} } } } },
  '1 KB of 30 typed fields and a constant text': {
    '@filler': { sizeKB: 1, fields: { _id: { '@row': {} }, note: 'x'.repeat(270) } },
  },
  '1 KB in one text': { '@filler': { sizeKB: 1, style: 'text', fields: { _id: { '@row': {} } } } },
  'ten values of ten types': {
    _id: { '@objectId': {} },
    customer: { '@long': { min: 1, max: 1_000_000 } },
    account: { '@businessId': {} },
    status: { '@choice': { values: ['open', 'paid', 'sent'], weights: [1, 3, 6] } },
    total: { '@decimal': { min: 1, max: 500 } },
    placed: { '@date': {} },
    score: { '@double': {} },
    items: { '@array': { size: 3, of: { '@int': { min: 1, max: 100 } } } },
    note: { '@string': { length: 20 } },
    open: true,
  },
} as const

/** Documents of a batch, written one behind the other. */
const documentsPerBatch = 1000
const documentsPerRound = 20 * documentsPerBatch

/** Measures what building a document costs beside what the driver has to do with it anyway: the client of an insert table does both. */
export const documents: Bench = async ({ print }) => {
  for (const sizeKB of sizesKB) {
    const ratios: number[] = []
    const buildUs: number[] = []
    for (let round = 0; round < rounds; round++) {
      const { build, encode } = measure(sizeKB)
      buildUs.push(build)
      ratios.push(build / encode)
    }
    print(
      `${sizeKB} KB: ${median(buildUs).toFixed(1)} µs to build, ${median(ratios).toFixed(2)} of the time that encoding it takes`,
    )
  }
  for (const [name, document] of Object.entries(kinds)) {
    const compiled = compileDataSet(document)
    const times = Array.from({ length: roundsOfBoth }, () => ({
      object: drawRound(compiled),
      bson: writeRound(compiled),
    }))
    const [drawUs, writeUs] = [median(times.map(({ object }) => object)), median(times.map(({ bson }) => bson))]
    print(`${name}: ${drawUs.toFixed(2)} µs as an object, ${writeUs.toFixed(2)} µs as BSON`)
  }
}

const compileDataSet = (document: unknown): DataSet =>
  createDataSet(dataSet.parse({ collection: 'documents', document }), [], {
    seed: 1,
    report: (_path, reason) => {
      throw new Error(reason)
    },
  })

/** Microseconds per document. */
function measure(sizeKB: number): { readonly build: number; readonly encode: number } {
  const { documentOf } = compileDataSet({ '@filler': { sizeKB, fields: { _id: { '@row': {} } } } })
  const count = Math.ceil(bytesPerRound / (sizeKB * 1024))
  const startMs = performance.now()
  const built = Array.from({ length: count }, (_, row) => documentOf?.(row).document ?? {})
  const builtMs = performance.now()
  for (const document of built) serialize(document)
  const encodedMs = performance.now()
  return { build: ((builtMs - startMs) * 1000) / count, encode: ((encodedMs - builtMs) * 1000) / count }
}

const drawRound = ({ documentOf }: DataSet): number => usPerDocument((row) => documentOf?.(row).bytes ?? 0)

function writeRound({ writeDocument }: DataSet): number {
  const out = new BsonWriter(2 ** 21)
  return usPerDocument((row) => {
    if (row % documentsPerBatch === 0) out.at = 0
    writeDocument?.(row, out)
    return out.at
  })
}

/** @param make Returns its bytes, so that making it cannot be optimised away. */
function usPerDocument(make: (row: number) => number): number {
  let bytes = 0
  const startMs = performance.now()
  for (let row = 0; row < documentsPerRound; row++) bytes += make(row)
  if (bytes === 0) throw new Error('Nothing was made')
  return ((performance.now() - startMs) * 1000) / documentsPerRound
}
