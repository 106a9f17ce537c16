import { withOwnColumns } from '../metrics/own-columns.ts'
import { type Result, type VariantResult } from '../results/schema.ts'
import { toDatabaseName } from '../servers/targets/ownership.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type LoadedSpec } from '../spec/load-spec.ts'
import { type AgentSession } from './agents/coordinator/session.ts'
import { reasonToEnd } from './end-early.ts'
import { explainFailure } from './explain-failure.ts'
import { type KeptResult } from './keep-result.ts'
import { failedVariant } from './new-result.ts'
import { type RunEnvironment } from './run-environment.ts'
import { runVariant } from './run-variant.ts'
import { type TargetPool } from './target-pool.ts'
import { isWhole, type TurnPlan } from './turns/plan-turns.ts'
import { type ScheduledTurn } from './turns/schedule-turns.ts'
import { withRun } from './turns/slow-runs.ts'

/** What running one turn after the other needs. */
export type TurnContext = {
  readonly environment: RunEnvironment
  readonly spec: LoadedSpec
  readonly plan: TurnPlan
  readonly start: Pick<StartContext, 'uri'>
  readonly targets: TargetPool
  readonly result: KeptResult
  /** Make the load. Undefined: this process does. */
  readonly agents: AgentSession | undefined
}

/**
 * Runs a row once, and adds that to the result.
 * @returns the result, when the run is over before all turns are: it was aborted, or a threshold was missed.
 * @throws why the row failed, which is in the result.
 */
export async function runTurn(scheduled: ScheduledTurn, context: TurnContext): Promise<Result | undefined> {
  const { turn, at } = scheduled
  const { environment, plan, result } = context
  const { clock, signal, emit } = environment
  const { row, again } = turn
  if (again !== null) emit({ kind: 'again', at, because: again })
  const begun = clock.date()
  try {
    const variant = await measureTurn(scheduled, context)
    await result.add(variant, again)
    emit({ kind: 'row', at, variant })
    const soFar = result.soFar()
    const reason = signal.aborted ? null : reasonToEnd(soFar, variant, row.spec.thresholds)
    if (reason === null || isWhole(plan, soFar.variants)) return undefined
    return await result.end('aborted', { warnings: [...soFar.warnings, reason] })
  } catch (error) {
    const status = signal.aborted ? 'aborted' : 'failed'
    const { message, problem } = explainFailure(error, row, context)
    const failed = failedVariant(turn, status, message, begun)
    const ended = await result.end(status, { variants: withRun(result.soFar().variants, failed, again) })
    if (status === 'failed') throw problem
    return ended
  }
}

async function measureTurn(
  { turn, at, later }: ScheduledTurn,
  { environment, spec, targets, agents }: TurnContext,
): Promise<VariantResult> {
  const variant = await runVariant(turn, {
    ...environment,
    ...(await targets.use(turn.row, at)),
    at,
    database: toDatabaseName(spec.name),
    next: later && targets.canReuseFor(later) ? later : undefined,
    folder: spec.folder,
    agents: agents?.unitsOf(spec, turn.row),
    agentsLost: agents?.lost,
  })
  // Before it is compact: they may read what is left out then.
  return withOwnColumns(variant, spec.overrides.columns ?? {})
}
