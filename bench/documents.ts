import { serialize } from 'bson'
import { createDataSet } from '../src/plan/data-set.ts'
import { dataSet } from '../src/schema/data-schema.ts'
import { type Bench, median } from './benchmark.ts'

const sizesKB = [1, 4, 256]
const bytesPerRound = 16 * 1024 * 1024
const rounds = 5

/** What building a document costs beside what the driver has to do with it anyway: the client of an insert table does both. */
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
}

/** Microseconds per document. */
function measure(sizeKB: number): { readonly build: number; readonly encode: number } {
  const { documentOf } = createDataSet(
    dataSet.parse({ collection: 'documents', document: { '@filler': { sizeKB, fields: { _id: { '@row': {} } } } } }),
    [],
    {
      seed: 1,
      report: (_path, reason) => {
        throw new Error(reason)
      },
    },
  )
  const count = Math.ceil(bytesPerRound / (sizeKB * 1024))
  const startMs = performance.now()
  const built = Array.from({ length: count }, (_, row) => documentOf?.(row).document ?? {})
  const builtMs = performance.now()
  for (const document of built) serialize(document)
  const encodedMs = performance.now()
  return { build: ((builtMs - startMs) * 1000) / count, encode: ((encodedMs - builtMs) * 1000) / count }
}
