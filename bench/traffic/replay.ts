import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Document, serialize } from 'bson'
import { systemClock } from '../../src/core/clock.ts'
import { createWireEngine } from '../../src/load/engines/wire/wire-engine.ts'
import { type LoadUnit } from '../../src/load/load-unit.ts'
import { createRecording } from '../../src/traffic/recording/create-recording.ts'
import { openRecording } from '../../src/traffic/recording/open-recording.ts'
import { type RecordedReply } from '../../src/traffic/recording/recorded-call.ts'
import { prepareReplay } from '../../src/traffic/replay/prepare-replay.ts'
import { type Speed } from '../../src/traffic/replay/replay-load.ts'
import { type BenchContext, computeMedian, type Cost, interleave, medianRatio } from '../benchmark.ts'
import { heldMB } from '../collect.ts'
import { type Compiled, compileSpec, findByKey } from '../compiled.ts'
import { startTestMongod } from '../start/mongod.ts'
import { startStubServer } from '../stub-server/start-stub-server.ts'
import { createUnit, runOperations } from '../unit.ts'

const connections = 32
const keys = 1000
const rounds = 5
const perRound = 50_000
const punctualRate = 5000
const punctualSeconds = 20

/**
 * A replay of finds by key over 32 connections. Goals: as much memory after 10^6 calls as after 10^4; at 5,000 calls per second 99 % within 1 ms of their
 * time on an idle machine; at "max" at least 0.8 of the throughput of a closed loop of the wire engine with as many workers.
 */
export async function replayCost({ print, mongod, quick }: BenchContext): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-bench-'))
  try {
    await using stub = await startStubServer()
    print('memory, at "max" against a stub server')
    for (const power of [4, 4, quick ? 5 : 6])
      print(`after 10^${power} calls: ${await heldAfter(folder, stub.uri, 10 ** power)}`)
    print(`--speed 1 at ${punctualRate} calls per second, against a stub server`)
    print(await punctuality(folder, stub.uri))
    print('"max" beside a closed loop of the wire engine, against a stub server')
    print(await throughput(folder, stub.uri))
    await using server = await startTestMongod(await mongod())
    print('the same against a server')
    print(await throughput(folder, server.uri))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The command that the wire engine sends for `findOne`. */
const findOne = (key: number): Document => ({
  find: 'documents',
  filter: { _id: key },
  limit: 1,
  singleBatch: true,
  readConcern: { level: 'local' },
})

/** The reply of a stub server to it. */
const reply: RecordedReply = {
  ok: true,
  code: 0,
  n: null,
  nModified: null,
  cursor: 0n,
  documents: 1,
  digest: 0x123456789abcdefn,
  upsertedIds: [],
  work: null,
  bytes: 1100,
}

let recordings = 0

/** Writes a recording of so many finds, evenly spaced, over all connections in turn. */
async function recordFinds(folder: string, calls: number): Promise<string> {
  const file = path.join(folder, `finds-${++recordings}.mprec`)
  const writer = await createRecording(file, {
    beganAt: new Date().toISOString(),
    source: 'proxy',
    values: 'keep',
    serverVersion: null,
    limits: [],
  })
  const stepUs = 1e6 / punctualRate
  for (let i = 0; i < calls; i++) {
    const command = Buffer.from(serialize(findOne(i % keys)))
    writer.add({
      connection: i % connections,
      startUs: i * stepUs,
      latencyUs: 500,
      database: 'bench',
      name: 'find',
      command,
      session: null,
      acknowledged: true,
      requestBytes: command.length + 50,
      reply,
    })
    if (i % 1000 === 0) await writer.drained()
  }
  await writer.close(calls * stepUs)
  return file
}

type Replayed = AsyncDisposable & {
  readonly compiled: Compiled
  readonly unit: LoadUnit
}

async function openReplay(file: string, uri: string, speed: Speed): Promise<Replayed> {
  const recording = await openRecording(file)
  const prepared = await prepareReplay(recording, file, {
    fromUs: 0,
    untilUs: Infinity,
    only: undefined,
    javascript: false,
    expires: true,
    speed,
    connections: 'as-recorded',
    compareDocuments: false,
    existing: false,
    mayWrite: () => false,
    isRepeated: false,
    data: undefined,
    clock: systemClock,
  })
  // Its report has columns that only a run knows.
  const made = compileSpec({ ...prepared.spec, report: {} })
  const compiled = { ...made, phase: prepared.ownLoad.plan(made.phase) }
  const unit = await prepared.createUnit(compiled.phase, uri)
  await unit.connect(connections)
  return {
    compiled,
    unit,
    async [Symbol.asyncDispose]() {
      await unit.end()
      await recording[Symbol.asyncDispose]()
    },
  }
}

async function heldAfter(folder: string, uri: string, calls: number): Promise<string> {
  const file = await recordFinds(folder, calls)
  await using replay = await openReplay(file, uri, 'max')
  const { run, total } = await runOperations(replay.compiled, replay.unit, calls)
  const held = heldMB()
  if (run.calls !== calls || total.operations()[0]?.ok !== calls)
    throw new Error(`${run.calls} of ${calls} calls ended`)
  return `${held.toFixed(2)} MB held, ${(process.memoryUsage.rss() / 1024 / 1024).toFixed(0)} MB resident`
}

async function punctuality(folder: string, uri: string): Promise<string> {
  const calls = punctualRate * punctualSeconds
  await using replay = await openReplay(await recordFinds(folder, calls), uri, 1)
  const { run, total } = await runOperations(replay.compiled, replay.unit, calls)
  const [due = 0, onTime = 0, held = 0] = run.counts ?? []
  const wait = total.openLoop({ seconds: punctualSeconds, peakInFlight: 0 })?.wait
  const lateness = ([50, 99, 999] as const).map((part) => `p${part} ${wait?.[`p${part}Ms`].toFixed(2)} ms`)
  const punctual = `within 1 ms: ${((onTime / due) * 100).toFixed(2)} %, ${held} of the others waited for the call before them`
  return `${punctual}; ${lateness.join('   ')}   max ${wait?.maxMs.toFixed(2)} ms`
}

const sides = ['closed loop', 'replay'] as const

async function throughput(folder: string, uri: string): Promise<string> {
  const file = await recordFinds(folder, perRound)
  const made = compileSpec(findByKey(keys, { kind: 'closed', workers: connections }))
  const phase = { ...made.phase, engine: 'wire' as const }
  const compiled = { ...made, phase }
  const closed = createUnit(compiled, createWireEngine({ uri, database: 'bench', phase }))
  const measure = {
    'closed loop': () => measureCost(compiled, closed),
    async replay() {
      await using replay = await openReplay(file, uri, 'max')
      return await measureCost(replay.compiled, replay.unit)
    },
  }
  try {
    await closed.connect(connections)
    for (const side of sides) await measure[side]()
    const measured = await interleave(sides, rounds, (side) => measure[side]())
    const shown = sides.map((side) => {
      const rate = 1e6 / computeMedian(measured[side], ({ wallUs }) => wallUs)
      return `${side} ${rate.toFixed(0)} calls/s, ${computeMedian(measured[side], ({ cpuUs }) => cpuUs).toFixed(1)} µs CPU`
    })
    const ratio = medianRatio(measured['closed loop'], measured.replay, ({ wallUs }) => wallUs)
    return `${shown.join('   ')}   throughput ${ratio.toFixed(3)} of the closed loop`
  } finally {
    await closed.end()
  }
}

/** Counts the window alone: what is read and opened before it does not count. */
async function measureCost(compiled: Compiled, unit: LoadUnit): Promise<Cost> {
  const cpu = process.cpuUsage()
  const { run } = await runOperations(compiled, unit, perRound)
  const { user, system } = process.cpuUsage(cpu)
  return { wallUs: ((run.endMs - run.beganMs) * 1000) / run.calls, cpuUs: (user + system) / run.calls }
}
