import { defineSpec, run } from '../src/index.ts'
import { type Bench } from './benchmark.ts'

const operations = 1_000_000
const workers = 32
const megabyte = 1024 * 1024

/** Memory of the client while a million calls go through the whole pipeline: it must not grow with their number. */
export const memory: Bench = async ({ mongod, print }) => {
  const spec = defineSpec({
    name: 'memory',
    data: {
      collection: 'items',
      rows: 10_000,
      document: { '@filler': { sizeKB: 0.5, fields: { _id: { '@row': {} } } } },
    },
    phases: [
      {
        name: 'read',
        load: { kind: 'closed', workers },
        stopAfter: { operations },
        operations: [{ kind: 'findOne', filter: { _id: { '@key': { distribution: 'zipfian' } } } }],
      },
    ],
  })
  let nextTenth = 1
  const result = await run(spec, {
    mongod: await mongod(),
    onProgress(event) {
      if (event.kind !== 'phase' || event.progress.operations < (operations / 10) * nextTenth) return
      nextTenth++
      globalThis.gc?.()
      const { heapUsed, rss } = process.memoryUsage()
      print(
        `${event.progress.operations} operations: heap ${(heapUsed / megabyte).toFixed(1)} MB, resident ${(rss / megabyte).toFixed(0)} MB`,
      )
    },
  })
  const seconds = result.variants[0]?.phases[0]?.wallSeconds ?? 0
  print(`${operations} operations in ${seconds.toFixed(0)} s`)
}
