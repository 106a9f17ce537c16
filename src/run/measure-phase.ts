import * as driver from 'mongodb'
import { type Clock } from '../clock.ts'
import { createDriverEngine } from '../engines/driver/driver-engine.ts'
import { startClientMeter } from '../measure/client-health.ts'
import { littlesLaw } from '../measure/littles-law.ts'
import { PhaseRecorder } from '../measure/recorder.ts'
import { steadiness, throughputPerFullSecond } from '../measure/steadiness.ts'
import { doubts } from '../measure/warnings.ts'
import { type PhaseStarts } from '../engines/driver/open-streams.ts'
import { type PhasePlan } from '../plan/plan.ts'
import { type Sampler } from '../resources/sampler.ts'
import {
  type ClientHealth,
  type ErrorCount,
  type MemberResources,
  type OperationResult,
  type PhaseResult,
  type StreamResult,
} from '../results/schema.ts'
import { type Progress } from '../schedule/progress.ts'
import { type PhaseRun, runPhase } from '../schedule/run-phase.ts'
import { redact } from '../targets/redact.ts'
import { measureStreams, noStreams } from './measure-streams.ts'
import { type Tripwire } from './tripwire.ts'

export type PhaseContext = {
  readonly uri: string
  readonly database: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly sampler: Sampler
  readonly onProgress: (progress: Progress) => void
  readonly phaseStarts: PhaseStarts
  /** Ends the phase when a threshold can no longer hold. */
  readonly tripwire: Tripwire
  /** Texts that must not get into the result. */
  readonly secrets: readonly string[]
}

/** Runs a phase with an engine and a recorder of its own. Whatever happens, its connections are closed. */
export async function measurePhase(phase: PhasePlan, context: PhaseContext): Promise<PhaseResult> {
  const { uri, database, clock, sampler, onProgress, phaseStarts, tripwire, secrets } = context
  const signal = AbortSignal.any([context.signal, tripwire.signal])
  const engine = createDriverEngine({ driver, uri, database, phase })
  const recorder = new PhaseRecorder(phase.operations, phase.keepSamples)
  let streams = noStreams
  let closeWindow: (() => Promise<MemberResources[]>) | undefined
  let readMeter: (() => ClientHealth) | undefined
  let client: ClientHealth | undefined
  let members: MemberResources[] = []
  try {
    const run = await runPhase({
      phase,
      engine,
      clock,
      signal,
      recorder: {
        start(windowStartMs) {
          recorder.start(windowStartMs)
          streams.start(windowStartMs)
        },
        record(call, startMs, endMs, outcome) {
          recorder.record(call, startMs, endMs, outcome)
          tripwire.record(call, outcome)
        },
      },
      onProgress,
      async onWindowStart() {
        streams = await measureStreams(phase, { uri, database, phaseStarts, clock, signal })
        closeWindow = (await sampler.openWindow()).close
        readMeter = startClientMeter()
      },
      async onWindowEnd() {
        client = readMeter?.()
        members = (await closeWindow?.()) ?? []
      },
    })
    return toPhaseResult(
      phase,
      run,
      withoutSecrets(recorder.finish(), secrets),
      withoutSecrets(await streams.finish(run.endMs), secrets),
      client ?? startClientMeter()(),
      members,
    )
  } finally {
    await Promise.all([engine.close(), streams.close()])
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
  run: PhaseRun,
  operations: OperationResult[],
  streams: StreamResult[],
  client: ClientHealth,
  members: MemberResources[],
): PhaseResult {
  const { wallSeconds, endedBecause, digest } = run
  const checkpoints =
    members.find(({ role }) => role === 'primary' || role === 'standalone')?.totals.checkpoints ?? null
  const measured: Omit<PhaseResult, 'warnings'> = {
    name: phase.name,
    workers: phase.workers,
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
    claims: phase.claims ?? null,
  }
  return { ...measured, warnings: doubts(measured) }
}
