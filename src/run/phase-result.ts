import { littlesLaw } from '../load/measure/littles-law.ts'
import { steadiness } from '../load/measure/steadiness.ts'
import { type ThroughputSeries } from '../load/measure/throughput-total.ts'
import { findWarnings } from '../load/measure/warnings/index.ts'
import { type PhasePlan } from '../load/plan/plan.ts'
import { type LoadRun } from '../load/run-load.ts'
import { type PhaseResult } from '../results/schema.ts'
import { type ErrorCount } from '../results/schema/calls.ts'
import { redactQuote } from '../servers/targets/connection/redact.ts'
import { type Contributed } from './instruments/index.ts'
import { type Instrument } from './instruments/instrument.ts'

/** A window that is over, and the instruments that watched it. */
export type Watched = { readonly run: LoadRun; readonly instruments: readonly Instrument[] }

/** Contribution of the load itself; `operations` without what instruments add. */
type OfLoad = Omit<PhaseResult, Exclude<keyof Contributed, 'operations'> | 'littlesLaw' | 'steadiness' | 'warnings'>

const loadResult = (phase: PhasePlan, run: LoadRun): OfLoad => ({
  name: phase.name,
  workers: phase.workers,
  threads: run.units.length,
  load: phase.load.kind,
  maxRatePerSecond: getMaxRate(phase),
  pauses: phase.pauses,
  engine: phase.engine,
  retries: phase.retries,
  writeConcern: { ...phase.writeConcern },
  readConcern: { ...phase.readConcern },
  readPreference: { ...phase.readPreference },
  startedAt: run.startedAt.toISOString(),
  wallSeconds: run.wallSeconds,
  endedBecause: run.endedBecause,
  digest: run.digest,
  operations: run.operations,
  latency: null,
  openLoop: run.openLoop,
  pool: phase.pool === undefined ? null : { ...phase.pool, wait: run.poolWait },
  parallel: describeParallel(phase),
  windows: [...run.windows],
  outcome: null,
  rowGaps: run.rowGaps,
  latestByThread: run.latestByThread,
  claims: phase.claims ?? null,
})

const describeParallel = ({ parallel }: PhasePlan): PhaseResult['parallel'] =>
  parallel === undefined
    ? null
    : { phase: parallel.phase, fromSeconds: parallel.fromSeconds, alternating: parallel.alternation?.load ?? null }

const getMaxRate = ({ load }: PhasePlan): number | null =>
  load.kind === 'closed' ? (load.maxRatePerSecond ?? null) : null

/** Whether workers do nothing but wait for answers. */
const alwaysWaits = (phase: PhasePlan): boolean =>
  phase.load.kind === 'closed' && getMaxRate(phase) === null && !phase.pauses

/** Returns the measured throughput. A load that is on and off is meant to change it: nothing is said about it. */
const measuredThroughput = ({ parallel }: PhasePlan, { throughput }: LoadRun): ThroughputSeries =>
  parallel?.alternation !== undefined ? { ...throughput, calls: [] } : throughput

/** Asks the instruments of a window what they found, and judges it. */
export async function createPhaseResult(
  phase: PhasePlan,
  { run, instruments }: Watched,
  secrets: readonly string[],
): Promise<PhaseResult> {
  const soFar: Partial<PhaseResult> = loadResult(phase, run)
  for (const { contribute } of instruments) Object.assign(soFar, await contribute(soFar))
  // All have contributed, and so each of the fields is there.
  const measured = redactPhase(soFar as OfLoad & Contributed, secrets)
  const { workers, wallSeconds, operations, members } = measured
  const checkpoints =
    members.find(({ role }) => role === 'primary' || role === 'standalone')?.totals.checkpoints ?? null
  const evaluated = {
    ...measured,
    littlesLaw: alwaysWaits(phase) ? littlesLaw({ workers, wallSeconds, operations }) : null,
    steadiness: steadiness(measuredThroughput(phase, run), checkpoints),
  }
  return { ...evaluated, warnings: findWarnings(evaluated) }
}

type Quoting = Pick<PhaseResult, 'operations' | 'streams' | 'availability' | 'faults'>

/** Takes secrets out of the messages of servers and drivers: everything else in a result is our own text. */
function redactPhase<Phase extends Quoting>(phase: Phase, secrets: readonly string[]): Phase {
  const cleaned = (text: string): string => redactQuote(text, secrets)
  const withoutSecrets = <Counted extends { readonly errors: readonly ErrorCount[] }>(counted: Counted): Counted => ({
    ...counted,
    errors: counted.errors.map((error) => ({ ...error, message: cleaned(error.message) })),
  })
  return {
    ...phase,
    operations: phase.operations.map((operation) => ({
      ...withoutSecrets(operation),
      expectedErrors: withoutSecrets({ errors: operation.expectedErrors }).errors,
      steps: operation.steps.map(withoutSecrets),
    })),
    streams: phase.streams.map(withoutSecrets),
    availability: phase.availability.map(withoutSecrets),
    faults: phase.faults.map((fault) => ({
      ...fault,
      occurrences: fault.occurrences.map((one) => ({ ...one, error: one.error === null ? null : cleaned(one.error) })),
    })),
  }
}
