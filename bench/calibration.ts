import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { MongoClient } from 'mongodb'
import { groupDigits } from '../src/core/quantities.ts'
import { type Bench, interleave, unknownName } from './benchmark.ts'
import { goYcsbMissing, goYcsbTool } from './calibration/go-ycsb-tool.ts'
import { mongoPerf } from './calibration/mongo-perf.ts'
import { type Round, formatTables, type WorkloadRounds } from './calibration/tables.ts'
import { type Job, type LoadingTool, type Tool, type ToolName } from './calibration/tool.ts'
import { serverCounters, trafficBetween } from './calibration/traffic.ts'
import { findYcsb, ycsbMissing } from './calibration/ycsb.ts'
import { type Properties } from './go-ycsb.ts'
import { startTestMongod } from './start/mongod.ts'

const rounds = 3
const secondsEach = { quick: 3, full: 10 } as const
const recordcount = 50_000

/** Holds all data, with what is inserted, and has nothing evicted while it is changed. */
const cache = { wiredTigerEngineRuntimeConfig: 'cache_size=1G' }

/** More than are made in the time. How many records are expected to be inserted depends on it, and so which ones are asked for: in E, YCSB and mongo-perf draw until a record is there. */
const operationcounts = { a: 1e8, b: 1e8, c: 1e8, d: 1e8, e: 500_000, f: 1e8 } as const

/**
 * mongo-perf beside YCSB and go-ycsb: workloads A to F, from the same property files, on the same records, which one of the other tools has loaded. In turns against one
 * server; medians of three rounds. Each tool is a process of its own that has 10 s to warm up and about 10 s that are timed. `calibration/a` is one workload of them. A tool that
 * is not there is left out. All of it takes about 40 minutes.
 */
export const calibration: Bench = async ({ mongod, print, part, out, quick }) => {
  const letters = Object.keys(operationcounts).filter((letter) => part === undefined || letter === part)
  if (letters.length === 0) throw unknownName('workload', part, Object.keys(operationcounts))
  const others = await otherTools(print)
  const [loader] = others
  if (!loader) return print('nothing to compare with')
  await promisify(execFile)('npm', ['run', 'build'])
  const tools: readonly Tool[] = [...others, mongoPerf('driver'), mongoPerf('wire')]
  const folder = path.resolve(out ?? (await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-'))))
  await using server = await startTestMongod(await mongod())
  await using client = await MongoClient.connect(server.uri)
  await client.db('admin').command({ setParameter: 1, ...cache })
  const uri = `mongodb://${new URL(server.uri).host}/ycsb?w=1`
  const shared = { recordcount, 'mongodb.url': uri, ...(others.some(isGoYcsb) && readableByGoYcsb) }
  const place: Place = { client, loader, folder, shared, print }
  const times: Times = quick ? { rounds: 1, seconds: secondsEach.quick } : { rounds, seconds: secondsEach.full }
  const results: WorkloadRounds[] = []
  for (const letter of letters as (keyof typeof operationcounts)[])
    results.push({ workload: letter, rounds: await measureWorkload(letter, tools, place, times) })
  const tables = formatTables(
    results,
    tools.map(({ name }) => name),
  )
  print(`\n${tables}`)
  await writeFile(path.join(folder, 'calibration.md'), `${tables}\n`)
  await writeFile(path.join(folder, 'calibration.json'), JSON.stringify(results))
  print(`\nWritten to ${path.join(folder, 'calibration')}.json and .md`)
}

const isGoYcsb = ({ name }: Tool): boolean => name === 'go-ycsb'

/** It hashes the octets of a key from the other end, so that it finds no record that YCSB has loaded under a hashed key, which is the default. */
const readableByGoYcsb = { insertorder: 'ordered' }

/** Finds the other tools on this machine, first the one that loads. */
async function otherTools(print: (line: string) => void): Promise<readonly LoadingTool[]> {
  const found = [
    { tool: await findYcsb(), missing: ycsbMissing },
    { tool: await goYcsbTool(), missing: goYcsbMissing },
  ]
  for (const { tool, missing } of found) if (!tool) print(missing)
  return found.flatMap(({ tool }) => tool ?? [])
}

type Times = { readonly rounds: number; readonly seconds: number }

type Place = {
  readonly client: MongoClient
  readonly loader: LoadingTool
  readonly folder: string
  /** Properties of all workloads. */
  readonly shared: Properties
  readonly print: (line: string) => void
}

async function measureWorkload(
  letter: keyof typeof operationcounts,
  tools: readonly Tool[],
  place: Place,
  times: Times,
): Promise<WorkloadRounds['rounds']> {
  const { client, folder, shared, print } = place
  const job = {
    file: `fixtures/specs/ycsb/workload${letter}.properties`,
    properties: { ...shared, operationcount: operationcounts[letter] },
    seconds: times.seconds,
    server: (await serverCounters(client)).pid,
  }
  const prepared = new Map<ToolName, () => Promise<Round>>()
  for (const { name, prepare } of tools) {
    const own: Job = { ...job, folder: path.join(folder, letter, name.replaceAll(' ', '-')) }
    await mkdir(own.folder, { recursive: true })
    await makeRecords(own, place)
    const measure = await prepare(own)
    prepared.set(name, async () => {
      await makeRecords(own, place)
      const before = await serverCounters(client)
      const run = await measure()
      return { ...run, traffic: trafficBetween(before, await serverCounters(client)) }
    })
  }
  return await interleave([...prepared.keys()], times.rounds, async (name) => {
    const round = await (prepared.get(name) as () => Promise<Round>)()
    print(`${letter.toUpperCase()}, ${name}: ${groupDigits(Math.round(round.figures.opsPerSecond))} ops/s`)
    return round
  })
}

/** Has the collection loaded, unless all of its records are there and nothing else, and what was changed written. */
async function makeRecords(job: Job, { client, loader }: Place): Promise<void> {
  const collection = client.db('ycsb').collection('usertable')
  if ((await collection.countDocuments()) !== recordcount) {
    await collection.drop()
    await loader.load(job)
    const loaded = await collection.countDocuments()
    if (loaded !== recordcount) throw new Error(`${loader.name} has loaded ${loaded} records instead of ${recordcount}`)
  }
  await client.db('admin').command({ fsync: 1 })
}
