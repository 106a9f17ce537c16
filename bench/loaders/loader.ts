import { stat } from 'node:fs/promises'
import { deserialize } from 'bson'
import type { CreateCollectionOptions, Db, Document } from 'mongodb'
import { systemClock } from '../../src/core/clock.ts'
import { int32At } from '../../src/protocol/bson/types.ts'
import { openContent } from '../../src/run/data/files/content.ts'
import { createInserters } from '../../src/run/data/inserter.ts'
import { type FillBatch, fileBatches, insertBatches, openDocuments } from '../../src/run/data/load.ts'
import { type BenchContext, median } from '../benchmark.ts'

/** Made-up documents of one collection, which are also in a file: loops load the same ones from there. */
export type Loaded = {
  readonly collection: string
  readonly options?: CreateCollectionOptions
  readonly count: number
  readonly bytes: number
  /** Path of the documents as BSON, one behind the other. */
  readonly file: string
  /** Makes them anew, in batches. */
  readonly make: () => FillBatch
}

/** Cost of a load to its client: milliseconds, and those of its processor. */
export type LoadCost = { readonly ms: number; readonly cpuMs: number }

/** One way to load documents into a collection that is there and empty. */
export type Loader = {
  readonly name: string
  /** Whether it is a loop as people write one, beside which the others are shown. */
  readonly isLoop: boolean
  readonly load: (db: Db, documents: Loaded) => Promise<LoadCost>
}

/** Documents for each call of a loop. */
export const loopBatch = 1000

/** The loop that one writes by hand with the driver of Node: decode, gather, `insertMany`. */
export const driverLoop: Loader = {
  name: 'insertMany of the driver, in a loop',
  isLoop: true,
  load: (db, { collection: name, file }) =>
    inThisProcess(async () => {
      const collection = db.collection(name)
      let rest = Buffer.alloc(0)
      let batch: Document[] = []
      for await (const chunk of openContent(file, 1, false).chunks) {
        const bytes = Buffer.concat([rest, chunk])
        let at = 0
        for (; bytes.length - at >= 4 && at + int32At(bytes, at) <= bytes.length; at += int32At(bytes, at)) {
          batch.push(deserialize(bytes.subarray(at, at + int32At(bytes, at))))
          if (batch.length < loopBatch) continue
          await collection.insertMany(batch, { ordered: false })
          batch = []
        }
        rest = bytes.subarray(at)
      }
      if (batch.length > 0) await collection.insertMany(batch, { ordered: false })
    }),
}

/** The load of a run. @param open Opens the documents of a collection, in batches. */
export const ownLoader = (name: string, open: (documents: Loaded) => FillBatch | Promise<FillBatch>): Loader => ({
  name,
  isLoop: false,
  load: (db, documents) =>
    inThisProcess(async () => {
      const fill = await open(documents)
      using inserters = createInserters({ db, collection: documents.collection, ordered: false }, systemClock)
      const signal = new AbortController().signal
      await insertBatches(inserters, fill, { clock: systemClock, signal, inOrder: false, onProgress: () => {} })
    }),
})

/** The batches of a file of a dump. */
export async function openDump(kind: 'bson' | 'archive', file: string, collection: string): Promise<FillBatch> {
  const content = openContent(file, (await stat(file)).size, false)
  return fileBatches(openDocuments(file, { kind, namespace: { database: 'bench', collection } }, content), 0)
}

/** The load of a run whose documents are in a file, as those of the loops. */
export const fileLoader = ownLoader('mongo-perf, from the file', ({ file, collection }) =>
  openDump('bson', file, collection),
)

async function inThisProcess(load: () => Promise<void>): Promise<LoadCost> {
  const before = process.cpuUsage()
  const startMs = performance.now()
  await load()
  const ms = performance.now() - startMs
  const { user, system } = process.cpuUsage(before)
  return { ms, cpuMs: (user + system) / 1000 }
}

const rounds = 7

/** Loads the same collections by all loaders in turns, and prints what each costs beside the loops: medians of the rounds. */
export async function compareLoaders(
  loaders: readonly Loader[],
  collections: readonly Loaded[],
  db: Db,
  { print, quick }: Pick<BenchContext, 'print' | 'quick'>,
): Promise<void> {
  const documents = sum(collections.map(({ count }) => count))
  const megabytes = sum(collections.map(({ bytes }) => bytes)) / 1024 ** 2
  print(`${documents} documents, ${megabytes.toFixed(0)} MB of BSON`)
  const costs = new Map<Loader, LoadCost[]>(loaders.map((loader) => [loader, []]))
  // The first round warms up.
  for (let round = 0; round <= (quick ? 2 : rounds); round++)
    for (const i of loaders.keys()) {
      // Who goes first takes turns.
      const loader = loaders[(i + round) % loaders.length] as Loader
      const cost = await loadAll(loader, collections, db)
      if (round > 0) costs.get(loader)?.push(cost)
    }
  for (const [{ name, isLoop }, own] of costs) {
    const ms = median(own.map((cost) => cost.ms))
    const cpuUs = (median(own.map((cost) => cost.cpuMs)) * 1000) / documents
    print(
      `${name}: ${((documents / ms) * 1000).toFixed(0)} documents/s, ${(megabytes / (ms / 1000)).toFixed(0)} MB/s, ${cpuUs.toFixed(2)} µs of the client's CPU for each`,
    )
    if (isLoop) continue
    for (const [{ name: loop }, its] of [...costs].filter(([other]) => other.isLoop))
      print(`  × ${ratio(its, own, 'ms')} the speed of ${loop}; its CPU × ${ratio(own, its, 'cpuMs')}`)
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const ratio = (of: readonly LoadCost[], to: readonly LoadCost[], figure: keyof LoadCost): string =>
  median(of.map((cost, round) => cost[figure] / (to[round]?.[figure] ?? NaN))).toFixed(2)

async function loadAll({ name, load }: Loader, collections: readonly Loaded[], db: Db): Promise<LoadCost> {
  await db.dropDatabase()
  for (const { collection, options } of collections) await db.createCollection(collection, { ...options })
  // What the round before left dirty is written now, not in this one.
  await db.admin().command({ fsync: 1 })
  const costs: LoadCost[] = []
  for (const documents of collections) {
    const { collection, options, count } = documents
    costs.push(await load(db, documents))
    const found = await db.collection(collection)[options?.timeseries ? 'countDocuments' : 'estimatedDocumentCount']()
    if (found !== count) throw new Error(`${name}: ${found} documents instead of ${count} in ${collection}`)
  }
  return { ms: sum(costs.map(({ ms }) => ms)), cpuMs: sum(costs.map(({ cpuMs }) => cpuMs)) }
}
