import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MongoClient } from 'mongodb'
import { type Bench, unknownName } from '../benchmark.ts'
import { startTestMongod } from '../start/mongod.ts'
import { drawThroughput } from './chart.ts'
import { memoryRows } from './memory.ts'
import { type Row, createRows, createSides, formatTable } from './report.ts'
import { threadsRow } from './threads.ts'
import { measureWork, type Work, type WorkResult } from './work.ts'
import { findOneWorks, insertManyWorks, operationWorks, timeSeriesWorks } from './works.ts'

/** Results that a part of the bench hands over: rows of the table, and bars of the chart. */
type Found = { readonly rows: readonly Row[]; readonly results: readonly WorkResult[] }

type Place = { readonly uri: string; readonly client: MongoClient; readonly print: (line: string) => void }

const ofWorks =
  (works: readonly Work[]) =>
  async ({ uri, client, print }: Place): Promise<Found> => {
    const results: WorkResult[] = []
    for (const work of works) {
      const result = await measureWork(work, uri, client)
      print(work.title)
      for (const [side, text] of Object.entries(createSides(result))) print(`  ${side}: ${text}`)
      results.push(result)
    }
    return { rows: results.flatMap(createRows), results }
  }

const parts: Readonly<Record<string, (place: Place) => Promise<Found>>> = {
  'find-one': ofWorks(findOneWorks),
  'insert-many': ofWorks(insertManyWorks),
  'time-series': ofWorks(timeSeriesWorks),
  operations: ofWorks(operationWorks),
  threads: async ({ uri }) => ({ rows: [await threadsRow(uri)], results: [] }),
  memory: async () => ({ rows: await memoryRows(), results: [] }),
}

/**
 * The engines beside each other, and beside loops that are written to be quick, with their goals: each client in a process of
 * its own, in turns against one server, medians of five rounds. `engines/find-one` is one part of it. All of them take about
 * eight minutes, of which memory takes half.
 *
 * Each process compiles its code by itself, so that two of the same side differ too: on a busy machine by up to 10 % in five of
 * six runs, and by 40 % in one. Run it more than once.
 */
export const engines: Bench = async ({ mongod, print, part, out }) => {
  const asked = part === undefined ? Object.keys(parts) : [part]
  await using server = await startTestMongod(await mongod())
  await using client = new MongoClient(server.uri)
  const found: Found[] = []
  for (const name of asked) {
    const measure = parts[name]
    if (!measure) throw unknownName('part', name, Object.keys(parts))
    found.push(await measure({ uri: server.uri, client, print }))
  }
  print(`\n${formatTable(found.flatMap(({ rows }) => rows))}`)
  const results = found.flatMap((one) => one.results)
  if (results.length > 0) print(`\nDrawn in ${await drawnIn(out, await drawThroughput(results))}`)
}

/** @param out Default: a new folder for temporary files. */
async function drawnIn(out: string | undefined, png: Buffer): Promise<string> {
  const folder = out ?? (await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-')))
  await mkdir(folder, { recursive: true })
  const file = path.join(folder, 'engines.png')
  await writeFile(file, png)
  return file
}
