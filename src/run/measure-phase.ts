import * as driver from 'mongodb'
import { type Clock } from '../clock.ts'
import { createDriverEngine } from '../engines/driver/driver-engine.ts'
import { availabilityOf } from '../measure/availability.ts'
import { AvailabilityRecorder } from '../measure/availability-recorder.ts'
import { startClientMeter, withThreads } from '../measure/client-health.ts'
import { littlesLaw } from '../measure/littles-law.ts'
import { PhaseRecorder } from '../measure/recorder.ts'
import { steadiness, throughputPerFullSecond } from '../measure/steadiness.ts'
import { doubts } from '../measure/warnings.ts'
import { type PhaseStarts } from '../engines/driver/open-streams.ts'
import { type DataSet } from '../plan/data-set.ts'
import { type PhasePlan } from '../plan/plan.ts'
import { samplePaths } from '../plan/sample-paths.ts'
import { type ResourceWindow, type Sampler } from '../resources/sampler.ts'
import {
  type ClientHealth,
  type ErrorCount,
  type MemberResources,
  type OperationResult,
  type PhaseResult,
  type StreamResult,
  type Unacknowledged,
} from '../results/schema.ts'
import { type Progress } from '../schedule/progress.ts'
import { runPhase } from '../schedule/run-phase.ts'
import { type PhaseSpec } from '../spec/phase-schema.ts'
import { type Spec } from '../spec/schema.ts'
import { redact } from '../targets/redact.ts'
import { packSamples } from '../threads/packed-samples.ts'
import { runOnThreads, type ThreadedPhase, type ThreadedRun } from '../threads/run-on-threads.ts'
import { type Arrivals } from './arrivals.ts'
import { measureStreams, noStreams } from './measure-streams.ts'
import { type Tripwire } from './tripwire.ts'

export type PhaseContext = {
  readonly uri: string
  readonly database: string
  /** What the plan was compiled from: threads compile it again. */
  readonly source: { readonly spec: Spec; readonly phase: PhaseSpec; readonly dataSets: readonly DataSet[] }
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly sampler: Sampler
  readonly onProgress: (progress: Progress) => void
  readonly phaseStarts: PhaseStarts
  /** Undefined where nothing is inserted unacknowledged. */
  readonly arrivals: Arrivals | undefined
  /** Ends the phase when a threshold can no longer hold. */
  readonly tripwire: Tripwire
  /** Texts that must not get into the result. */
  readonly secrets: readonly string[]
}

export type EndedPhase = {
  readonly endedBecause: PhaseResult['endedBecause']
  readonly operations: readonly OperationResult[]
  /** Known up to two seconds later, when the servers have looked at themselves again. The next phase does not wait for it. */
  readonly result: Promise<PhaseResult>
}

/** Runs a phase with engines and a recorder of its own. Whatever happens, its connections are closed. */
export async function measurePhase(phase: PhasePlan, context: PhaseContext): Promise<EndedPhase> {
  const { uri, database, source, clock, sampler, onProgress, phaseStarts, arrivals, tripwire, secrets } = context
  const signal = AbortSignal.any([context.signal, tripwire.signal])
  const recorder = new PhaseRecorder(phase.operations, phase.keepSamples)
  const availability = new AvailabilityRecorder()
  let streams = noStreams
  let closeWindow: ResourceWindow['close'] | undefined
  let readMeter: (() => ClientHealth) | undefined
  let client: ClientHealth | undefined
  let members: Promise<MemberResources[]> = Promise.resolve([])
  let operations: OperationResult[] = []
  let unacknowledged: Unacknowledged | undefined
  try {
    const run = await makeCalls({
      phase,
      work: { uri, database, ...workOf(source) },
      dataSets: source.dataSets,
      clock,
      signal,
      recorder: {
        start(windowStartMs) {
          recorder.start(windowStartMs)
          availability.start(windowStartMs)
          streams.start(windowStartMs)
        },
        record(call, startMs, endMs, outcome) {
          recorder.record(call, startMs, endMs, outcome)
          availability.record(startMs, endMs, outcome)
          tripwire.record(call, outcome)
        },
      },
      onProgress,
      async onWindowStart() {
        await arrivals?.start()
        streams = await measureStreams(phase, { uri, database, phaseStarts, clock, signal })
        closeWindow = (await sampler.openWindow()).close
        readMeter = startClientMeter()
      },
      async onWindowEnd() {
        const windowEndMs = clock.now()
        client = readMeter?.()
        if (closeWindow !== undefined) members = (await closeWindow()).members
        operations = recorder.finish()
        unacknowledged = await arrivals?.finish(sentIn(operations), windowEndMs)
      },
    })
    const counted = withoutSecrets(operations, secrets)
    const watched = withoutSecrets(await streams.finish(run.endMs), secrets)
    const afterFaults = withoutSecrets(availability.finish(run.endMs), secrets)
    const health = withThreads(client ?? startClientMeter()(), run.threads, phase.streams.length > 0)
    const outside = { unacknowledged: unacknowledged ?? null }
    return {
      endedBecause: run.endedBecause,
      operations: counted,
      result: members.then((known) => {
        const measured = toPhaseResult(phase, run, counted, watched, health, { members: known, ...outside })
        return { ...measured, availability: availabilityOf(afterFaults, measured) }
      }),
    }
  } finally {
    await streams.close()
  }
}

const workOf = ({ spec, phase, dataSets }: PhaseContext['source']) => ({
  seed: spec.seed,
  data: spec.data,
  phase,
  samples: phase.load.threads === undefined ? [] : packSamples(dataSets, samplePaths({ ...spec, phases: [phase] })),
})

/** Where the calls are made: in this thread, or over several others. */
const makeCalls = (given: ThreadedPhase): Promise<ThreadedRun> =>
  given.phase.threads === 1 ? runHere(given) : runOnThreads(given)

async function runHere({ work: { uri, database }, ...given }: ThreadedPhase): Promise<ThreadedRun> {
  const engine = createDriverEngine({ driver, uri, database, phase: given.phase })
  try {
    return { ...(await runPhase({ ...given, engine })), threads: [] }
  } finally {
    await engine.close()
  }
}

/** Messages are the only words of others in a result. */
function withoutSecrets<Counted extends { readonly errors: readonly ErrorCount[] }>(
  results: readonly Counted[],
  secrets: readonly string[],
): Counted[] {
  return results.map((result) => ({
    ...result,
    errors: result.errors.map((error) => ({ ...error, message: redact(error.message, secrets) })),
  }))
}

function toPhaseResult(
  phase: PhasePlan,
  run: ThreadedRun,
  operations: OperationResult[],
  streams: StreamResult[],
  client: ClientHealth,
  { members, unacknowledged }: Pick<PhaseResult, 'members' | 'unacknowledged'>,
): Omit<PhaseResult, 'availability'> {
  const { wallSeconds, endedBecause, digest } = run
  const checkpoints =
    members.find(({ role }) => role === 'primary' || role === 'standalone')?.totals.checkpoints ?? null
  const measured: Omit<PhaseResult, 'warnings' | 'availability'> = {
    name: phase.name,
    workers: phase.workers,
    threads: phase.threads,
    load: 'closed',
    writeConcern: { ...phase.writeConcern },
    readConcern: { ...phase.readConcern },
    readPreference: { ...phase.readPreference },
    startedAt: run.startedAt.toISOString(),
    wallSeconds,
    endedBecause,
    digest,
    operations,
    latency: null,
    streams,
    client,
    members,
    littlesLaw: littlesLaw({ workers: phase.workers, wallSeconds, operations }),
    steadiness: steadiness(throughputPerFullSecond(operations), checkpoints),
    unacknowledged,
    faults: [],
    elections: null,
    claims: phase.claims ?? null,
  }
  return { ...measured, warnings: doubts(measured) }
}

const sentIn = (operations: readonly OperationResult[]): number =>
  operations.reduce((sum, { inserted }) => sum + inserted, 0)
