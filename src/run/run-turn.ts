import { withOwnColumns } from '../metrics/own-columns.ts'
import { type Result } from '../results/schema.ts'
import { toDatabaseName } from '../servers/targets/ownership.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type LoadedSpec } from '../spec/load-spec.ts'
import { type AgentSession } from './agents/coordinator/session.ts'
import { reasonToEnd } from './end-early.ts'
import { asProblem, formatErrorMessage } from './explain-failure.ts'
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
export async function runTurn(
  { turn, at, later }: ScheduledTurn,
  { environment, spec, plan, start, targets, result, agents }: TurnContext,
): Promise<Result | undefined> {
  const { clock, signal, secrets, emit } = environment
  const { row, again } = turn
  const database = toDatabaseName(spec.name)
  if (again !== null) emit({ kind: 'again', at, because: again })
  const begun = clock.date()
  try {
    const measured = await runVariant(turn, {
      ...environment,
      ...(await targets.use(row, at)),
      at,
      database,
      next: later && targets.canReuseFor(later) ? later : undefined,
      folder: spec.folder,
      agents: agents?.unitsOf(spec, row),
      agentsLost: agents?.lost,
    })
    // Before it is compact: they may read what is left out then.
    const variant = withOwnColumns(measured, spec.overrides.columns ?? {})
    await result.add(variant, again)
    emit({ kind: 'row', at, variant })
    const { variants, warnings } = result.soFar()
    const reason = signal.aborted ? null : reasonToEnd(result.soFar(), variant, row.spec.thresholds)
    if (reason === null || isWhole(plan, variants)) return undefined
    return await result.end('aborted', { warnings: [...warnings, reason] })
  } catch (error) {
    const status = signal.aborted ? 'aborted' : 'failed'
    const text = formatErrorMessage(error, secrets)
    const failed = failedVariant(turn, status, text, begun)
    const ended = await result.end(status, { variants: withRun(result.soFar().variants, failed, again) })
    if (status === 'aborted') return ended
    const { target } = row.spec
    throw asProblem(error, text, { database, uri: target.kind === 'existing' ? start.uri(target.uriFrom) : undefined })
  }
}
