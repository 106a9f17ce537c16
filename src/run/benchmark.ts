import { withOwnColumns } from '../metrics/columns/own-columns.ts'
import { type Row, listRows } from '../metrics/rows/rows.ts'
import { thresholdVerdicts, valueText } from '../metrics/thresholds.ts'
import type { Result, VariantResult } from '../results/schema.ts'
import type { Warning } from '../results/schema/warnings.ts'
import type { StartContext } from '../servers/targets/target.ts'
import type { LoadedSpec } from '../spec/load-spec.ts'
import type { ThresholdSpec } from '../spec/schema/threshold-schema.ts'
import type { AgentSession } from './agents/coordinator/session.ts'
import { explainFailure, notMeasuredWarnings } from './explain-failure.ts'
import { type KeptResult, type ResultOptions, keepResult } from './keep-result.ts'
import { checkAbilities } from './preflight/check-abilities.ts'
import { fitToMachine, preflight, preflightUris } from './preflight/preflight.ts'
import { type RunEnvironment, chooseDatabase } from './run-environment.ts'
import { runVariant } from './run-variant.ts'
import { type TargetPool, createTargetPool } from './target-pool.ts'
import { type ScheduledTurn, type TurnPlan, isWhole, planTurns, scheduleTurns } from './turns.ts'

/** Options of a benchmark besides its spec and its environment. */
export type BenchmarkOptions = ResultOptions & {
  readonly start: StartContext
  /** Agents that make the load. Default: this process does. */
  readonly agents?: AgentSession | undefined
  /** Runs of every row. Default: as in the spec. */
  readonly repeat?: number | undefined
}

/** Runs a validated spec and returns its result. An aborted run returns the rows that were finished. */
export async function runBenchmark(
  loaded: LoadedSpec,
  environment: RunEnvironment,
  options: BenchmarkOptions,
): Promise<Result> {
  const { agents, output } = options
  const { signal, emit } = environment
  const { spec, start } = await fitToMachine(loaded, options.start)
  checkAbilities(spec, environment, agents !== undefined)
  await output?.prepare()
  const plan = planTurns(spec, options)
  preflightUris(plan.rowsToRun, start)

  const result = await keepResult(spec, plan, environment, options)
  try {
    await preflight(plan, start)
  } catch (error) {
    await result.end('failed', { warnings: notMeasuredWarnings(error) })
    throw error
  }
  await using targets = createTargetPool(start, environment)
  for (const scheduled of scheduleTurns(plan)) {
    if (plan.isKept(scheduled.turn)) {
      emit({ kind: 'skipped', at: scheduled.at })
      continue
    }
    if (signal.aborted) break
    const ended = await runTurn(scheduled, { environment, spec, plan, start, targets, result, agents })
    if (ended !== undefined) return ended
  }
  return await result.end(isWhole(plan, result.soFar().variants) ? 'done' : 'aborted')
}

type TurnContext = Pick<BenchmarkOptions, 'start' | 'agents'> & {
  readonly environment: RunEnvironment
  readonly spec: LoadedSpec
  readonly plan: TurnPlan
  readonly targets: TargetPool
  readonly result: KeptResult
}

/**
 * Runs a row once, and adds that to the result.
 * @returns the result, when the run is over before all turns are: it was aborted, or a threshold was missed.
 * @throws why the row failed, which is in the result.
 */
async function runTurn(scheduled: ScheduledTurn, context: TurnContext): Promise<Result | undefined> {
  const { turn, at } = scheduled
  const { environment, plan, result } = context
  const { clock, signal, emit } = environment
  const begun = clock.date()
  try {
    const variant = await measureTurn(scheduled, context)
    await result.add(variant)
    emit({ kind: 'row', at, variant })
    const soFar = result.soFar()
    const reason = signal.aborted ? null : reasonToEnd(soFar, variant, turn.row.spec.thresholds)
    if (reason === null || isWhole(plan, soFar.variants)) return undefined
    return await result.end('aborted', { warnings: [...soFar.warnings, reason] })
  } catch (error) {
    const status = signal.aborted ? 'aborted' : 'failed'
    const { message, problem } = explainFailure(error, turn.row, context)
    const ended = await result.fail(turn, status, message, begun)
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
    database: chooseDatabase(spec.name, environment),
    next: later && targets.canReuseFor(later) ? later : undefined,
    folder: spec.folder,
    agents: agents && { startUnits: agents.unitsOf(spec, turn.row), lost: agents.lost },
  })
  // Before it is compact: they may read what is left out then.
  return withOwnColumns(variant, spec.overrides.columns ?? {})
}

/** The code of a run that was ended by a threshold, and not by its user. */
export const endedByThreshold = 'threshold-missed'

/**
 * Why a run is to end after this row, as a warning of the result: a threshold with `abort` that the runs of the row, so
 * far, have missed. Null when it goes on.
 */
export function reasonToEnd(
  result: Result,
  { row, run, startUp, status }: VariantResult,
  thresholds: readonly ThresholdSpec[],
): Warning | null {
  if (startUp) return null
  // A run that was cut short is not among those that count, and is what has to be judged.
  const rows = listRows(result, status === 'done' ? 'variants' : 'runs')
  const isJudged = ({ variant }: Row): boolean => variant.row === row && (status === 'done' || variant.run === run)
  const ofRow = rows.filter(isJudged)
  const aborting = thresholds.filter(({ abort }) => abort).map(({ holds }) => holds)
  const missed = thresholdVerdicts(result, aborting, ofRow).find(({ verdict }) => verdict === 'missed')
  if (missed === undefined) return null
  const where = missed.label === '' ? '' : ` in row "${missed.label}"`
  return {
    code: endedByThreshold,
    message: `The run ended early: the threshold "${missed.threshold}" was missed${where}: ${valueText(missed)}`,
    advice: 'Rows after it were not run',
  }
}
