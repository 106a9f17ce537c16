import { type Clock } from '../clock.ts'
import { createDriverEngine } from '../engines/driver/driver-engine.ts'
import { type LoadDriver } from '../engines/driver/load-driver.ts'
import { isAnswered } from '../engines/engine.ts'
import { type FaultNews } from '../faults/do-faults.ts'
import { type FaultFindings, noFaults, prepareFaults } from '../faults/run-faults.ts'
import { availabilityOf } from '../measure/availability.ts'
import { AvailabilityRecorder } from '../measure/availability-recorder.ts'
import { startClientMeter, withThreads } from '../measure/client-health.ts'
import { littlesLaw } from '../measure/littles-law.ts'
import { type CpuOfStarted } from '../measure/machine-meter.ts'
import { recordArrivals } from '../measure/open-loop-recorder.ts'
import { PhaseRecorder } from '../measure/recorder.ts'
import { steadiness, throughputPerFullSecond } from '../measure/steadiness.ts'
import { findWarnings } from '../measure/warnings/index.ts'
import { type PhaseStarts } from '../engines/driver/open-streams.ts'
import { type DataSet } from '../plan/data-set.ts'
import { type PhasePlan } from '../plan/plan.ts'
import { samplePaths } from '../plan/sample-paths.ts'
import { type ResourceWindow, type Sampler } from '../resources/sampler.ts'
import { type PhaseResult } from '../results/schema.ts'
import {
  type ErrorCount,
  type OperationResult,
  type StreamResult,
  type Unacknowledged,
} from '../results/schema/calls.ts'
import { type ClientHealth } from '../results/schema/client.ts'
import { type MemberResources } from '../results/schema/servers.ts'
import { type ArrivalListener } from '../schedule/open-loop.ts'
import { type Progress } from '../schedule/progress.ts'
import { runPhase } from '../schedule/run-phase.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { redactQuote } from '../targets/redact.ts'
import { type RunningTarget } from '../targets/target.ts'
import { packSamples } from '../threads/packed-samples.ts'
import { runOnThreads, type ThreadedPhase, type ThreadedRun } from '../threads/run-on-threads.ts'
import { type Arrivals } from './arrivals.ts'
import { explainOperations } from './explain-operations.ts'
import { type CallListener } from './hear-calls.ts'
import { measureStreams, noStreams } from './measure-streams.ts'
import { type Tripwire } from './tripwire.ts'
import { notWatched, watchMachine } from './watch-machine.ts'
import { type TargetWatch } from './watch-target.ts'

export type PhaseContext = {
  readonly target: RunningTarget
  readonly database: string
  readonly driver: LoadDriver
  /** What the plan was compiled from: threads compile it again. */
  readonly source: { readonly spec: Spec; readonly phase: PhaseSpec; readonly dataSets: readonly DataSet[] }
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly sampler: Sampler
  readonly cpuOfStarted: CpuOfStarted
  readonly watch: TargetWatch
  readonly onProgress: (progress: Progress) => void
  readonly onFault: (news: FaultNews) => void
  readonly phaseStarts: PhaseStarts
  /** Undefined where nothing is inserted unacknowledged. */
  readonly arrivals: Arrivals | undefined
  /** Ends the phase when a threshold can no longer hold. */
  readonly tripwire: Tripwire
  /** Told of every call, those of the warm-up among them. Undefined where nobody needs it. */
  readonly onCall: CallListener | undefined
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
  const { target, database, driver, source, clock, sampler, cpuOfStarted, watch, secrets } = context
  const { onProgress, phaseStarts, arrivals, tripwire, onCall } = context
  const { uri } = target
  const signal = AbortSignal.any([context.signal, tripwire.signal])
  const recorder = new PhaseRecorder(phase.operations, phase.keepSamples)
  const openLoop = recordArrivals(phase)
  const availability = new AvailabilityRecorder()
  const listen: CallListener = (call, outcome) => {
    if (!isAnswered(outcome)) watch.suspect(phase.deadlineMs)
    onCall?.(call, outcome)
  }
  let streams = noStreams
  let faults = noFaults
  let findings: FaultFindings = { faults: [], elections: null }
  let closeWindow: ResourceWindow['close'] | undefined
  let readMeter: (() => ClientHealth) | undefined
  let client: ClientHealth | undefined
  let readMachine: ReturnType<typeof watchMachine> | undefined
  let otherLoadBeside = notWatched
  let members: Promise<MemberResources[]> = Promise.resolve([])
  let operations: OperationResult[] = []
  let unacknowledged: Unacknowledged | undefined
  try {
    const run = await makeCalls({
      phase,
      driver,
      work: { uri, database, ...workOf(source, phase.threads) },
      dataSets: source.dataSets,
      clock,
      signal,
      lost: watch.lost,
      recorder: {
        start(windowStartMs) {
          recorder.start(windowStartMs)
          availability.start(windowStartMs)
          streams.start(windowStartMs)
          faults.start(windowStartMs)
        },
        record(call, startMs, endMs, outcome) {
          recorder.record(call, startMs, endMs, outcome)
          availability.record(startMs, endMs, outcome)
          tripwire.record(call, outcome)
          listen(call, outcome)
        },
      },
      arrivals: openLoop,
      unmeasured: {
        start: () => {},
        record: (call, _startMs, _endMs, outcome) => listen(call, outcome),
      },
      onProgress,
      async onWindowStart() {
        await arrivals?.start()
        faults = await prepareFaults({
          ...faultsIn(phase, context),
          signal,
          onBegin: (fault, beganMs) => availability.faultBegan(fault, beganMs),
        })
        streams = await measureStreams(phase, { uri, database, driver: driver.module, phaseStarts, clock, signal })
        closeWindow = (await sampler.openWindow()).close
        readMeter = startClientMeter()
        readMachine = watchMachine(target, cpuOfStarted)
      },
      async onWindowEnd() {
        const windowEndMs = clock.now()
        client = readMeter?.()
        if (readMachine !== undefined) otherLoadBeside = readMachine()
        if (closeWindow !== undefined) members = (await closeWindow()).members
        operations = openLoop.addTimes(recorder.finish())
        findings = await faults.finish()
        unacknowledged = await arrivals?.finish(sentIn(operations), windowEndMs)
      },
    })
    const watched = withoutSecrets(await streams.finish(run.endMs), secrets)
    const isWhole = run.endedBecause !== 'aborted' && run.endedBecause !== 'everything failed'
    // After the counters of the window have been read, and before anything else changes the data.
    if (phase.measured && isWhole)
      operations = await explainOperations(phase, operations, {
        driver: driver.module,
        uri,
        database,
        clock,
        signal,
        secrets,
      })
    const counted = withoutSecrets(operations, secrets)
    for (const operation of counted) operation.steps = withoutSecrets(operation.steps, secrets)
    const afterFaults = withoutSecrets(availability.finish(run.endMs), secrets)
    const health = withThreads(client ?? startClientMeter()(), run.threads, phase.streams.length > 0)
    const outside = {
      unacknowledged: unacknowledged ?? null,
      openLoop: openLoop.result(),
      ...withoutSecretsIn(findings, secrets),
    }
    return {
      endedBecause: run.endedBecause,
      operations: counted,
      result: members.then((known) => {
        const seen = { members: known, otherLoad: otherLoadBeside(known), ...outside }
        const measured = toPhaseResult(phase, run, counted, watched, health, seen)
        return { ...measured, availability: availabilityOf(afterFaults, measured) }
      }),
    }
  } finally {
    // Whatever happens, what was done to the servers is undone.
    await faults.finish()
    await streams.close()
  }
}

const faultsIn = (phase: PhasePlan, { target, source, clock, secrets, onFault }: PhaseContext) => ({
  phase: phase.name,
  specs: phase.faults,
  seed: source.spec.seed,
  lastSecond: phase.stopAfter.seconds ?? Infinity,
  target,
  clock,
  onNews: (news: FaultNews) => onFault({ ...news, error: cleaned(news.error, secrets) }),
})

const workOf = ({ spec, phase, dataSets }: PhaseContext['source'], threads: number) => ({
  seed: spec.seed,
  data: spec.data,
  phase,
  samples: threads === 1 ? [] : packSamples(dataSets, samplePaths({ ...spec, phases: [phase] })),
})

/** An open load is never spread over threads. */
type MeasuredPhase = ThreadedPhase & {
  readonly arrivals: ArrivalListener
  readonly driver: LoadDriver
  /** Aborts when the servers are gone: no answer comes any more. */
  readonly lost: AbortSignal
}

/** Where the calls are made: in this thread, or over several others. */
const makeCalls = (given: MeasuredPhase): Promise<ThreadedRun> =>
  given.phase.threads === 1 ? runHere(given) : runOnThreads(given)

async function runHere({ work: { uri, database }, driver, lost, ...given }: MeasuredPhase): Promise<ThreadedRun> {
  const engine = createDriverEngine({ driver: driver.module, uri, database, phase: given.phase })
  const giveUp = (): void => void engine.close()
  lost.addEventListener('abort', giveUp)
  try {
    return { ...(await runPhase({ ...given, engine })), threads: [] }
  } finally {
    lost.removeEventListener('abort', giveUp)
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
    errors: result.errors.map((error) => ({ ...error, message: redactQuote(error.message, secrets) })),
  }))
}

const cleaned = (error: string | null, secrets: readonly string[]): string | null =>
  error === null ? null : redactQuote(error, secrets)

function withoutSecretsIn({ faults, elections }: FaultFindings, secrets: readonly string[]): FaultFindings {
  return {
    faults: faults.map((fault) => ({
      ...fault,
      occurrences: fault.occurrences.map((one) => ({ ...one, error: cleaned(one.error, secrets) })),
    })),
    elections,
  }
}

function toPhaseResult(
  phase: PhasePlan,
  run: ThreadedRun,
  operations: OperationResult[],
  streams: StreamResult[],
  client: ClientHealth,
  outside: Pick<PhaseResult, 'members' | 'otherLoad' | 'unacknowledged' | 'openLoop' | 'faults' | 'elections'>,
): Omit<PhaseResult, 'availability'> {
  const { wallSeconds, endedBecause, digest } = run
  const checkpoints =
    outside.members.find(({ role }) => role === 'primary' || role === 'standalone')?.totals.checkpoints ?? null
  const measured: Omit<PhaseResult, 'warnings' | 'availability'> = {
    name: phase.name,
    workers: phase.workers,
    threads: phase.threads,
    load: phase.load.kind,
    retries: phase.retries,
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
    ...outside,
    littlesLaw: phase.load.kind === 'closed' ? littlesLaw({ workers: phase.workers, wallSeconds, operations }) : null,
    // The pace of a search is meant to change.
    steadiness: steadiness(phase.load.kind === 'findPeak' ? [] : throughputPerFullSecond(operations), checkpoints),
    peak: run.peak ?? null,
    claims: phase.claims ?? null,
  }
  return { ...measured, warnings: findWarnings(measured) }
}

const sentIn = (operations: readonly OperationResult[]): number =>
  operations.reduce((sum, { inserted }) => sum + inserted, 0)
