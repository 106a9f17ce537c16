import * as driver from 'mongodb'
import { type Clock } from '../clock.ts'
import { createDriverEngine } from '../engines/driver/driver-engine.ts'
import { startClientMeter } from '../measure/client-health.ts'
import { littlesLaw } from '../measure/littles-law.ts'
import { PhaseRecorder } from '../measure/recorder.ts'
import { steadiness, throughputPerFullSecond } from '../measure/steadiness.ts'
import { doubts } from '../measure/warnings.ts'
import { type PhasePlan } from '../plan/plan.ts'
import { type Sampler } from '../resources/sampler.ts'
import { type ClientHealth, type MemberResources, type OperationResult, type PhaseResult } from '../results/schema.ts'
import { type Progress } from '../schedule/progress.ts'
import { type PhaseRun, runPhase } from '../schedule/run-phase.ts'
import { redact } from '../targets/redact.ts'

export type PhaseContext = {
  readonly uri: string
  readonly database: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly sampler: Sampler
  readonly onProgress: (progress: Progress) => void
  /** Texts that must not get into the result. */
  readonly secrets: readonly string[]
}

/** Runs a phase with an engine and a recorder of its own. Whatever happens, its connections are closed. */
export async function measurePhase(phase: PhasePlan, context: PhaseContext): Promise<PhaseResult> {
  const { uri, database, clock, signal, sampler, onProgress, secrets } = context
  const engine = createDriverEngine({ driver, uri, database, phase })
  const recorder = new PhaseRecorder(phase.operations)
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
      recorder,
      onProgress,
      async onWindowStart() {
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
      client ?? startClientMeter()(),
      members,
    )
  } finally {
    await engine.close()
  }
}

/** Messages are the only words of others in a result. */
function withoutSecrets(operations: readonly OperationResult[], secrets: readonly string[]): OperationResult[] {
  return operations.map((operation) => ({
    ...operation,
    errors: operation.errors.map((error) => ({ ...error, message: redact(error.message, secrets) })),
  }))
}

function toPhaseResult(
  phase: PhasePlan,
  run: PhaseRun,
  operations: OperationResult[],
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
    client,
    members,
    littlesLaw: littlesLaw({ workers: phase.workers, wallSeconds, operations }),
    steadiness: steadiness(throughputPerFullSecond(operations), checkpoints),
  }
  return { ...measured, warnings: doubts(measured) }
}
