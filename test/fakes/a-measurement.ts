import { type QueryPlan } from '../../src/load/measure/query-plan.ts'
import { type CallWork } from '../../src/metrics/work.ts'
import { type MeasuredRound, type Measurement } from '../../src/verdicts/testing/measurement.ts'
import { fakePhase } from './fake-result.ts'

export const aPlan = (plan: Partial<QueryPlan> = {}): QueryPlan => ({
  text: 'IXSCAN customer_1 → FETCH',
  indexes: ['customer_1'],
  scansCollection: false,
  figures: { keysExamined: 1, docsExamined: 1, docsReturned: 1 },
  ...plan,
})

const { client } = fakePhase()

const aRound = (round: Partial<MeasuredRound>): MeasuredRound => ({
  callsPerSecond: 1000,
  meanMs: 1,
  p50Ms: 1,
  p99Ms: 2,
  cpuUs: 200,
  client,
  machineSpeed: { before: 100, after: 100 },
  ...round,
})

export const someWork = (work: Partial<CallWork> = {}): CallWork => ({
  docsExamined: 20,
  keysExamined: 20,
  docsReturned: 20,
  bytesReturned: 2000,
  commands: 1,
  roundTrips: 1,
  ...work,
})

/** A measurement of a function that sends a command on orders. */
export function aMeasurement({
  rounds = [{}, {}, {}, {}, {}, {}],
  p99Ms = 2,
  plan = aPlan(),
  commands = ['find'],
  machineSpeed = 100,
  work = someWork(),
}: {
  readonly rounds?: readonly Partial<MeasuredRound>[]
  readonly p99Ms?: number
  readonly plan?: QueryPlan
  readonly commands?: readonly string[]
  readonly machineSpeed?: number
  readonly work?: CallWork
}): Measurement {
  return {
    name: 'orders',
    work,
    notTimed: null,
    strict: false,
    machineSpeed,
    machineSlowerPercent: 0,
    load: { workers: 1 },
    rounds: rounds.map(aRound),
    calls: { ok: 600, failed: 0 },
    errors: [],
    latency: {
      count: 600,
      meanMs: 1,
      minMs: 1,
      maxMs: p99Ms,
      p50Ms: 1,
      p95Ms: 2,
      p99Ms,
      p999Ms: p99Ms,
      clamped: 0,
      histogram: null,
    },
    distribution: [
      { upToMs: 1, calls: 400 },
      { upToMs: 2, calls: 200 },
    ],
    sent: {
      kind: 'seen',
      calls: [
        {
          commands: commands.map((name) => ({ name, collection: 'orders', plan: name === 'find' ? plan : null })),
          work,
        },
      ],
    },
    firstErrors: [],
    series: Symbol('series'),
  }
}
