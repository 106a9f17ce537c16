import { type Result } from '../results/schema.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type LoadedSpec } from '../spec/load-spec.ts'
import { type AgentSession } from './agents/coordinator/session.ts'
import { notMeasuredWarnings } from './explain-failure.ts'
import { keepResult, type ResultOptions } from './keep-result.ts'
import { checkAbilities } from './preflight/check-abilities.ts'
import { fitToMachine, preflight } from './preflight/preflight.ts'
import { preflightUris } from './preflight/targets.ts'
import { type RunEnvironment } from './run-environment.ts'
import { runTurn } from './run-turn.ts'
import { createTargetPool } from './target-pool.ts'
import { isWhole, planTurns, targetsToRun } from './turns/plan-turns.ts'
import { scheduleTurns } from './turns/schedule-turns.ts'

/** What a benchmark needs besides its spec and its environment. */
export type BenchmarkOptions = ResultOptions & {
  readonly start: StartContext
  /** Those that make the load. Default: this process does. */
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
  preflightUris(targetsToRun(plan), start)

  const result = await keepResult(spec, plan, environment, options)
  try {
    await preflight(plan, start)
  } catch (error) {
    await result.end('failed', { warnings: notMeasuredWarnings(error) })
    throw error
  }
  await using targets = createTargetPool(start, environment)
  for (const scheduled of scheduleTurns(plan, result.soFar)) {
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
