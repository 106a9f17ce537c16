import { startFineTimer } from '../core/threads/fine-timer.ts'
import { createEngine } from '../load/engines/create-engine.ts'
import { callsFunctions } from '../load/engines/engine.ts'
import type { LoadUnit } from '../load/load-unit.ts'
import { createLocalUnit } from '../load/local-unit.ts'
import type { PhasePlan } from '../load/plan/plan.ts'
import { createShares, wholePhase } from '../load/plan/share.ts'
import { measureOrigin } from '../load/threads/thread-clock.ts'
import { samplePaths } from '../spec/plan/sample-paths.ts'
import type { MeasuredLoad } from './measure-phase.ts'
import type { RowRun } from './row-run.ts'
import { packSamples, startLoadThread } from './threads/thread-work.ts'

/** Starts the units of a load: its own, on agents, or here: as many as the phase has threads, of which one alone runs in this thread. */
export async function startUnits(load: MeasuredLoad, row: RowRun): Promise<readonly LoadUnit[]> {
  const { phase, source, step, dataSets, evidence } = load
  const { target, database, driver, functions, clock, agents, ownLoad } = row
  const { uri } = target
  const of = { phase, spec: step?.of ?? source, step: step?.step, dataSets, evidence, uri }
  if (ownLoad !== undefined) return await ownLoad.units(of, agents?.startUnits)
  if (agents !== undefined) return await agents.startUnits(of)
  if (phase.threads > 1 || needsThread(phase, row)) return startThreads(load, row)
  const engine = createEngine({ kind: phase.engine, driver, functions: functions.named, uri, database, phase })
  return [createLocalUnit({ phase, share: wholePhase, dataSets, engine, clock, startTimer: startFineTimer, evidence })]
}

function startThreads(
  { phase, source, dataSets, evidence }: MeasuredLoad,
  { spec, target: { uri }, database, functions, clock }: RowRun,
): readonly LoadUnit[] {
  const work = {
    uri,
    database,
    seed: spec.seed,
    data: spec.data,
    phase: source,
    firstRows: dataSets.map(({ numbers }) => numbers.next()),
    samples: packSamples(dataSets, samplePaths({ ...spec, phases: [source] })),
    evidence,
    functionsFrom: callsFunctions(phase.operations) ? functions.file : undefined,
    clockOriginMs: measureOrigin(clock),
  }
  return createShares(phase.threads).map((share) => startLoadThread({ ...work, share }))
}

/** Whether other loads run at the same time, which would wait for its event loop: unless threads cannot have what it calls. */
const needsThread = ({ parallel, operations }: PhasePlan, { driver, functions }: RowRun): boolean =>
  parallel !== undefined && driver.isBundled && (functions.file !== undefined || !callsFunctions(operations))
