import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readResult } from '../../../src/results/files/results-file.ts'
import { type Result } from '../../../src/results/schema.ts'
import { type SpecInput } from '../../../src/spec/spec-input.ts'
import { abWith, type AbOptions } from '../../../src/verdicts/ab/ab.ts'
import { type AbProgress } from '../../../src/verdicts/ab/run-rounds.ts'
import { type RunSide, type SideRun } from '../../../src/verdicts/ab/run-side.ts'
import { resultWith } from '../../fakes/compared-results.ts'

/** Options that are the same for both sides. */
export const common = {
  overrides: {},
  functions: undefined,
  mongod: undefined,
  uriFrom: undefined,
  uris: { MONGO_PERF_URI_NEW: 'mongodb://127.0.0.1:1/' },
  givenAs: {},
  allowRemote: false,
  compact: false,
  workingFolder: '/',
}

/** A spec with a parameter to vary. */
export const spec: SpecInput = {
  name: 'reads',
  seed: 7,
  target: { kind: 'standalone' },
  parameters: { workers: 4 },
  data: { collection: 'docs', rows: 10, document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'read',
      load: { kind: 'closed', workers: { '@param': 'workers' } },
      stopAfter: { operations: 20 },
      operations: [{ kind: 'findOne', filter: { _id: 5 } }],
    },
  ],
}

/** Whether a run is that of side B, which has more workers in these tests. */
export const isB = ({ overrides }: SideRun): boolean => overrides.set?.['workers'] !== undefined

/** Noise that is the same every time. */
const varied = (call: number, noise: number): number => 1 + noise * Math.sin(call * 2.4)

/** A result of one run at so many operations a second. */
export const runAt = (rate: number): Result => resultWith({ '': [rate] })

/** Sides of so many operations a second. */
export function sidesAt(rates: { readonly a: number; readonly b: number }, noise = 0.01): RunSide {
  let calls = 0
  return async (run) => runAt((isB(run) ? rates.b : rates.a) * varied(calls++, noise))
}

/** A comparison without servers and processes, in a folder of its own. Every run of a side takes ten seconds. */
export async function compareSides(runSide: RunSide, given: Partial<AbOptions> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-ab-'))
  const ran: ('a' | 'b')[] = []
  const events: AbProgress[] = []
  let nowMs = 0
  const act = abWith(
    spec,
    {
      b: { set: { workers: 8 } },
      out: folder,
      measures: ['opsPerSecond'],
      onProgress: (event) => events.push(event),
      env: {},
      ...given,
    },
    {
      clock: { now: () => nowMs, date: () => new Date('2026-11-23T10:00:00Z'), sleep: async () => undefined },
      preflight: async () => undefined,
      keepServers: () => undefined,
      async runSide(run, options) {
        ran.push(isB(run) ? 'b' : 'a')
        nowMs += 10_000
        return runSide(run, options)
      },
    },
  )
  return {
    ...(await act.then(
      (outcome) => ({ outcome, error: undefined }),
      (error: unknown) => ({ outcome: undefined, error }),
    )),
    ran,
    events,
    stored: (side: 'a' | 'b') => readResult(path.join(folder, side, 'result.json')),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
