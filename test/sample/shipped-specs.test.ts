import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, inject, test } from 'vitest'
import { lookOften } from '../../bench/start/mongod.ts'
import { runBenchmark } from '../../src/run/benchmark.ts'
import { createRunEnvironment } from '../../src/run/run-environment.ts'
import { thisMachine } from '../../src/servers/machine.ts'
import { startTarget, targetSpec } from '../../src/servers/targets/index.ts'
import { createStartContext } from '../../src/servers/targets/start/start-context.ts'
import { type RunningTarget, type StartContext } from '../../src/servers/targets/target.ts'
import { type LoadedSpec, loadSpecFile, type SpecRow } from '../../src/spec/load-spec.ts'

/** Calls of a phase. */
const operations = 20

const maxMembers = 3

const folder = 'fixtures/specs'
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))

const ends: ReadonlySet<string> = new Set(['operations', 'documents'])

type Phase = SpecRow['spec']['phases'][number]

/**
 * Few calls and connections, no more documents than at smoke size, and no faults. A search ends by itself, and that for a rate soon if it
 * need not be precise, no percentile needs samples, and a peak is looked for in two steps. Parallel loads end with their window.
 */
function fewCalls(given: Phase): Phase {
  const { load, parallel } = given
  if ('holds' in load)
    return { ...given, load: { ...load, holds: ['errors == 0'], precisionPercent: 50, maxInFlight: operations } }
  if (load.kind === 'findPeak') return { ...given, load: { ...load, to: 2 * load.from } }
  if (parallel !== undefined) return given
  const stopAfter = { operations, documents: given.stopAfter?.documents }
  const phase = { ...given, warmup: undefined, faults: undefined, stopAfter }
  if (load.kind === 'closed') return phase
  const { stages = [], ratePerSecond = Math.max(...stages.map((stage) => stage.ratePerSecond)), ...others } = load
  return { ...phase, load: { ...others, ratePerSecond, maxInFlight: operations } }
}

/** The variable that leads to what is in the place of a target. A set of one has one of its own: three members do all of the work three times. */
const placeFor = (target: SpecRow['spec']['target']): string =>
  target.kind === 'replicaSet' && target.members.length > 1 ? 'SET' : target.kind

const sampleOf = (row: SpecRow): SpecRow => {
  const { spec, ...others } = row
  const target = { kind: 'existing', uriFrom: placeFor(spec.target), facts: spec.target.facts } as const
  return { ...others, spec: { ...spec, target, phases: spec.phases.map(fewCalls) } }
}

/** Whether servers of this file can be in the place of those of a row. Routers and larger sets are for the full run. */
const hasPlace = ({ spec: { target } }: SpecRow): boolean =>
  target.kind === 'standalone' || (target.kind === 'replicaSet' && target.members.length <= maxMembers)

let start: StartContext & AsyncDisposable
/** By the variables that lead to them. */
const targets = new Map<string, RunningTarget>()
beforeAll(async () => {
  start = createStartContext({
    machine: thisMachine(process.env),
    mongod: inject('mongodPath'),
    uri: (kind) => targets.get(kind)?.uri,
    allowRemote: false,
    signal: new AbortController().signal,
    log: () => undefined,
  })
  const server = { cacheGB: 0.25, setParameters: lookOften }
  for (const given of [
    { kind: 'standalone', server },
    { kind: 'replicaSet', members: 1, server },
    { kind: 'replicaSet', members: maxMembers, server },
  ]) {
    const target = targetSpec.parse(given)
    targets.set(placeFor(target), await startTarget(target, start))
  }
})
afterAll(async () => {
  for (const target of targets.values()) await target[Symbol.asyncDispose]()
  await start?.[Symbol.asyncDispose]()
})

const hasSmoke = (file: string): boolean =>
  Object.hasOwn(
    (JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as { profiles?: object }).profiles ?? {},
    'smoke',
  )

const run = (loaded: LoadedSpec, rows: readonly SpecRow[]) =>
  runBenchmark({ ...loaded, rows, repeat: { times: 1, startUpRuns: 0 } }, createRunEnvironment(start), { start })

// They wait for checkpoints and replication most of the time.
test.concurrent.for(files)('%s is valid, and its first and its last row make a few calls', async (file, { expect }) => {
  const loaded = await loadSpecFile(`${folder}/${file}`, hasSmoke(file) ? { profile: 'smoke' } : {})
  const rows = loaded.rows.filter(hasPlace)
  const firstAndLast = [...new Set([...rows.slice(0, 1), ...rows.slice(-1)])]
  const { status, variants } =
    firstAndLast.length === 0 ? { status: 'done', variants: [] } : await run(loaded, firstAndLast.map(sampleOf))
  expect(status).toBe('done')
  expect(variants.map(({ label }) => label)).toEqual(firstAndLast.map(({ label }) => label))
  for (const { checks, phases } of variants) {
    expect(checks.filter((check) => check.status !== 'held')).toEqual([])
    // A machine that pauses misses rates: which one was found says nothing here.
    const searched = ({ outcome, windows }: (typeof phases)[number]): boolean => outcome !== null && windows.length > 0
    const isThrough = ({ parallel, endedBecause }: (typeof phases)[number]): boolean =>
      parallel === null ? ends.has(endedBecause) : endedBecause === 'seconds'
    expect(phases.filter((phase) => !searched(phase) && !isThrough(phase))).toEqual([])
    expect(phases.flatMap((phase) => phase.operations.flatMap(({ errors }) => errors))).toEqual([])
  }
})
