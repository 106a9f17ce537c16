import { type Clock } from '../core/clock.ts'
import { Problem } from '../core/errors.ts'
import { codeOperators } from '../language/values/keys.ts'
import { type LoadDriver, bundledDriver } from '../load/engines/driver/load-driver.ts'
import { noFunctions, type RunFunctions } from '../load/engines/load-functions.ts'
import { withOwnColumns } from '../metrics/columns/own-columns.ts'
import { memberMetrics } from '../metrics/shown-metrics.ts'
import { packResult } from '../results/pack-result.ts'
import { isMeasured, type ResultFile } from '../results/result-file.ts'
import { type Result, type VariantResult } from '../results/schema.ts'
import { type Warning } from '../results/schema/warnings.ts'
import { notMeasuredHere } from '../results/warning-weights.ts'
import { checkFaultsHere } from '../servers/faults/check-here.ts'
import { type FaultSpec, computeTargetNeeds } from '../servers/faults/index.ts'
import { type OnSample } from '../servers/resources/sample.ts'
import {
  hintForCause,
  isDriverError,
  hintForMissingRole,
  rolesToWrite,
} from '../servers/targets/connection/driver-error.ts'
import { redact, redactQuote } from '../servers/targets/connection/redact.ts'
import { checkTargets } from '../servers/targets/index.ts'
import { toDatabaseName } from '../servers/targets/ownership.ts'
import { cpuMsOfLent } from '../servers/targets/start/lent-target.ts'
import { type StartContext } from '../servers/targets/target.ts'
import { type LoadedSpec, type Spec, type SpecRow } from '../spec/load-spec.ts'
import { refuseForAgents } from './agents/coordinator/refuse-for-agents.ts'
import { type AgentSession } from './agents/coordinator/session.ts'
import { compactRow } from './compact-row.ts'
import { reasonToEnd } from './end-early.ts'
import { failedVariant, newResult } from './new-result.ts'
import { type Sink } from './own-sinks.ts'
import { checkDriver } from './preflight/check-driver.ts'
import { checkFunctions } from './preflight/check-functions.ts'
import { computeCoreNeeds } from './preflight/core-needs.ts'
import { preflightDescriptors } from './preflight/descriptors.ts'
import { preflightDisk } from './preflight/disk.ts'
import { rowsHere } from './preflight/rows-here.ts'
import { preflightBinaries, preflightRouters, preflightUris } from './preflight/targets.ts'
import { type OnProgress } from './progress.ts'
import { provenanceHere, resumedProvenance } from './provenance.ts'
import { runVariant } from './run-variant.ts'
import { createTargetPool, type TargetRequest } from './target-pool.ts'
import { isWhole, planTurns, targetsToRun, type TurnPlan } from './turns/plan-turns.ts'
import { scheduleTurns } from './turns/schedule-turns.ts'
import { withRun } from './turns/slow-runs.ts'

/** What a benchmark needs besides its spec. */
export type BenchmarkOptions = {
  readonly start: StartContext
  /** The driver that sends the calls. Default: that of mongo-perf. */
  readonly driver?: LoadDriver | undefined
  /** Those that operations call; the spec was validated with them. Default: none. */
  readonly functions?: RunFunctions | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
  /** Take the parts of all phases while they run. Default: none. */
  readonly sinks?: readonly Sink[] | undefined
  /** Takes the samples of the servers as they come. Default: none. */
  readonly onSample?: OnSample | undefined
  /** Takes the result so far, whenever it has changed, between rows: before the first one, after each, and at the end. Default: none. */
  readonly onResult?: ((result: Result) => void) | undefined
  /** Those that make the load. Default: this process does. */
  readonly agents?: AgentSession | undefined
  /** Receives the result, from the first row on in which something was measured. Default: nowhere. */
  readonly output?: ResultFile | undefined
  /** A result of the same work, whose finished rows are kept and not run again. */
  readonly resume?: Result | undefined
  /** Runs of every row. Default: as in the spec. */
  readonly repeat?: number | undefined
  /** Whether to drop time lines, histograms and individual timings. Default: as in the resumed result. */
  readonly compact?: boolean | undefined
  /** Texts that must not appear in the result. */
  readonly secrets: readonly string[]
}

/** Runs a validated spec and returns its result. An aborted run returns the rows that were finished. */
export async function runBenchmark(loaded: LoadedSpec, options: BenchmarkOptions): Promise<Result> {
  const { driver = bundledDriver(), functions = noFunctions, clock, signal, onProgress, output, resume } = options
  const spec = { ...loaded, rows: await rowsHere(loaded.rows, options.start) }
  const start = { ...options.start, coreNeeds: computeCoreNeeds(spec.rows) }
  checkDriver(spec, driver)
  checkFunctions(spec, functions)
  if (options.agents !== undefined) refuseForAgents(spec, driver)
  await output?.prepare()
  const plan = planTurns(spec, options)
  const wanted = targetsToRun(plan)
  preflightUris(wanted, start)

  const compact = options.compact === true || resume?.compact === true
  const ofMembers = memberMetrics(spec.rows[0]?.spec.report ?? {})
  const form = (row: VariantResult): VariantResult => (compact ? compactRow(row, ofMembers) : row)
  const startedAt = resume?.startedAt ?? clock.date().toISOString()
  let result = newResult(spec, {
    repeat: plan.repeat,
    startedAt,
    variants: plan.kept.map(form),
    compact,
    ...resolveProvenance(plan, driver, resume),
  })
  const isDoneAlready = plan.rowsToRun.length === 0
  let hasMetrics = isDoneAlready
  const save = async (change: Partial<Result>): Promise<void> => {
    result = { ...result, ...change }
    await output?.save(packResult(result), hasMetrics)
    options.onResult?.(result)
  }
  const end = (status: Result['status'], change: Partial<Result> = {}): Promise<void> => {
    // A result without new measurements keeps its time.
    const finishedAt = isDoneAlready ? resume?.finishedAt : undefined
    return save({ ...change, status, finishedAt: finishedAt ?? clock.date().toISOString() })
  }

  await save({})
  try {
    await checkTargets(wanted, start)
    await preflightDescriptors(plan.rowsToRun, start.resources)
    await preflightDisk(plan.rowsToRun, start.tempFolder, start.resources)
    await checkFaultsHere(faultsToDo(plan), start.host)
    await preflightBinaries(wanted, start)
    await preflightRouters(wanted, start)
  } catch (error) {
    await end('failed', { warnings: notMeasuredWarnings(error) })
    throw error
  }
  await using targets = createTargetPool({ ...start, scripting: runsCode(spec), seed: spec.seed }, onProgress)
  for (const { turn, at, later } of scheduleTurns(plan, () => result)) {
    if (plan.isKept(turn)) {
      onProgress({ kind: 'skipped', at })
      continue
    }
    if (signal.aborted) break
    if (turn.again !== null) onProgress({ kind: 'again', at, because: turn.again })
    const begun = clock.date()
    const withThis = (variant: VariantResult): VariantResult[] => withRun(result.variants, variant, turn.again)
    try {
      const { target, kept, isUsed } = await targets.use(createTargetRequest(turn.row), at)
      const next = later && targets.canReuseFor(createTargetRequest(later)) ? later : undefined
      const { folder } = spec
      const measured = await runVariant(turn, {
        ...options,
        cpuOfStarted: start.lent === undefined ? start.supervisor.cpuMs : cpuMsOfLent(start.lent),
        driver,
        functions,
        sinks: options.sinks ?? [],
        onSample: options.onSample,
        agents: options.agents?.unitsOf(spec, turn.row),
        agentsLost: options.agents?.lost,
        target,
        database: toDatabaseName(spec.name),
        next,
        kept,
        isUsed,
        folder,
        at,
      })
      // Before it is compact: they may read what is left out then.
      const variant = withOwnColumns(measured, spec.overrides.columns ?? {})
      hasMetrics ||= isMeasured(variant)
      await save({ variants: withThis(form(variant)) })
      onProgress({ kind: 'row', at, variant })
      const reason = signal.aborted ? null : reasonToEnd(result, variant, turn.row.spec.thresholds)
      if (reason !== null && !isWhole(plan, result.variants)) {
        await end('aborted', { warnings: [...result.warnings, reason] })
        return result
      }
    } catch (error) {
      const status = signal.aborted ? 'aborted' : 'failed'
      const text = formatErrorMessage(error, options.secrets)
      await end(status, { variants: withThis(failedVariant(turn, status, text, begun)) })
      if (status === 'failed')
        throw asProblem(error, text, { database: toDatabaseName(spec.name), uri: resolveUri(turn.row, start) })
      return result
    }
  }
  await end(isWhole(plan, result.variants) ? 'done' : 'aborted')
  return result
}

function resolveProvenance({ rowsToRun, kept }: TurnPlan, driver: LoadDriver, resume: Result | undefined) {
  const here = provenanceHere(driver)
  if (resume === undefined || kept.length === 0) return { ...here, warnings: [] }
  return resumedProvenance(resume, here, rowsToRun.length > 0)
}

const createTargetRequest = ({ spec }: SpecRow): TargetRequest => ({
  spec: spec.target,
  needs: computeTargetNeeds(faultsIn(spec)),
})

const faultsIn = ({ phases }: Spec): readonly FaultSpec[] => phases.flatMap(({ faults = [] }) => faults)

const faultsToDo = ({ rowsToRun }: TurnPlan): readonly FaultSpec[] => rowsToRun.flatMap(({ spec }) => faultsIn(spec))

/** Whether the spec runs code on the server. It was loaded, so the command line allows that too. */
const runsCode = ({ rows }: LoadedSpec): boolean =>
  rows.some(({ spec }) => codeOperators.some((operator) => spec.allow.includes(operator)))

/** The warning that explains an empty report. */
const notMeasuredWarnings = (error: unknown): Warning[] =>
  error instanceof Problem && error.code === 'not-measurable-here'
    ? [{ code: notMeasuredHere, message: error.message, advice: error.hint }]
    : []

/** The message of an error without secrets. Those of a problem were redacted when it was created. */
function formatErrorMessage(error: unknown, secrets: readonly string[]): string {
  if (error instanceof Problem) return redact(error.message, secrets)
  return redactQuote(error instanceof Error ? error.message : String(error), secrets)
}

type DatabaseAddress = { readonly database: string; readonly uri: string | undefined }

const resolveUri = ({ spec: { target } }: SpecRow, { uri }: StartContext): string | undefined =>
  target.kind === 'existing' ? uri(target.uriFrom) : undefined

/** Converts an error of the driver to a problem. */
function asProblem(error: unknown, text: string, address: DatabaseAddress): unknown {
  if (!isDriverError(error)) return error
  return new Problem('target-unreachable', `The server could not be used: ${text}`, { hint: hintFor(error, address) })
}

function hintFor(error: Error, { uri, database }: DatabaseAddress): string {
  if (error.name === 'MongoWriteConcernError') return missingMembers
  const ofRole = uri === undefined ? undefined : hintForMissingRole(error, { uri, database, roles: rolesToWrite })
  return ofRole ?? hintForCause(error) ?? finishedRows
}

const finishedRows = 'Finished rows are in the result; --resume runs the others.'
const missingMembers =
  'Too few members acknowledged the writes of mongo-perf itself, which wait for a majority. Restart members that are down, or add "w=1" to the URI to wait for one member only.'
