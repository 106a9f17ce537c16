import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { type DataSetSpec } from '../../src/spec/schema/data-schema.ts'
import { loadSpec } from '../../src/spec/spec-text.ts'
import { type Bench, type BenchContext, unknownName } from '../benchmark.ts'
import { startTestMongod } from '../start/mongod.ts'
import { compareLoaders, driverLoop, fileLoader, ownLoader } from './loader.ts'
import { startPymongo } from './pymongo.ts'
import { writeData } from './written-data.ts'

/** Data sets that are loaded together, by their title. */
type Job = { readonly title: string; readonly data: readonly DataSetSpec[]; readonly seed: number }

const measurements = 200_000

/** Measurements of the spec that ships, with the `_id` that loops would add to them. */
async function timeSeries(quick: boolean): Promise<readonly Job[]> {
  const overrides = { set: { batches: [1000] }, only: ['granularity=seconds'] }
  const { rows, seed } = await loadSpec('fixtures/specs/time-series/ingest.json', overrides)
  return rows.map(({ spec }) => ({
    title: 'a time series',
    seed,
    data: spec.data.map((one) => ({
      ...one,
      rows: quick ? measurements / 10 : measurements,
      document: { _id: { '@objectId': {} }, ...(one.document as object) },
    })),
  }))
}

/** A part of a warehouse, with as many rows of each table beside the others as a whole one has. */
async function tpcC(quick: boolean): Promise<readonly Job[]> {
  const set = { warehouses: 1, customers: quick ? 90 : 900, items: quick ? 3000 : 30_000 }
  const { rows, seed } = await loadSpec('fixtures/specs/tpc-c/schemas.json', { set })
  return rows.map(({ spec, label }) => ({ title: `TPC-C, ${label}`, data: spec.data, seed }))
}

const parts: Readonly<Record<string, (quick: boolean) => Promise<readonly Job[]>>> = {
  'time-series': timeSeries,
  'tpc-c': tpcC,
}

/**
 * Measures what loading made-up documents takes beside loops that people write: `insertMany` of the driver and `insert_many` of
 * pymongo, a thousand documents a call, which read the same documents from files of BSON. mongo-perf makes them meanwhile, or reads those files, too. No
 * secondary indexes; in turns, on a standalone server. `loaders/tpc-c` is one part of it. The goal for TPC-C is 50,000 documents/s.
 */
export const loaders: Bench = async ({ mongod, part, ...output }) => {
  await using server = await startTestMongod(await mongod())
  for (const name of part === undefined ? Object.keys(parts) : [part]) {
    const jobs = parts[name]
    if (!jobs) throw unknownName('part', name, Object.keys(parts))
    for (const job of await jobs(output.quick)) await measure(job, server.uri, output)
  }
}

async function measure(
  { title, data, seed }: Job,
  uri: string,
  output: Pick<BenchContext, 'print' | 'quick'>,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-load-'))
  try {
    output.print(`\n${title}`)
    const written = await writeData(folder, data, seed)
    await using client = await MongoClient.connect(uri, { monitorCommands: true })
    await using pymongo = await startPymongo(uri, output.print)
    const own = ownLoader('mongo-perf, made meanwhile', ({ make }) => make())
    await compareLoaders(
      [driverLoop, ...(pymongo ? [pymongo] : []), own, fileLoader],
      written,
      client.db('bench'),
      output,
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}
