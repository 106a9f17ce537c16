import { MongoClient, type Timestamp } from 'mongodb'
import { type Clock } from '../clock.ts'
import { operationTime } from '../engines/driver/operation-time.ts'
import { Problem } from '../errors.ts'
import { type Path, pathText } from '../json.ts'
import { compilePhase } from '../plan/compile-phase.ts'
import { type CompileContext, createDataSet } from '../plan/data-set.ts'
import { shapeOfSpec } from '../plan/shape.ts'
import { startSampler } from '../resources/sampler.ts'
import { readServerInfo } from '../resources/server-info.ts'
import { type DataSetResult, type PhaseResult, type VariantResult, type Warning } from '../results/schema.ts'
import { type SpecRow } from '../spec/read-rows.ts'
import { memberUri } from '../targets/member-uri.ts'
import { type RunningTarget } from '../targets/target.ts'
import { checkServerVersion } from './check-server-version.ts'
import { type KeptData, needsDatabase, prepareData } from './data/prepare-data.ts'
import { measurePhase } from './measure-phase.ts'
import { type Turn } from './order.ts'
import { prepareBuckets } from './prepare-buckets.ts'
import { type OnProgress, type Position } from './progress.ts'
import { settle } from './settle.ts'
import { createTripwire } from './tripwire.ts'

export type VariantContext = {
  readonly target: RunningTarget
  readonly database: string
  /** The row that comes after this one on the same running target. */
  readonly next: SpecRow | undefined
  /** What the row before left on the target; what this row leaves is put in. */
  readonly kept: KeptData
  /** Where relative paths in the spec begin. */
  readonly folder: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly at: Position
  readonly onProgress: OnProgress
  /** Texts that must not get into the result. */
  readonly secrets: readonly string[]
}

/** Loads the data of a row and runs its phases on a target that is ready. */
export async function runVariant(turn: Turn<SpecRow>, context: VariantContext): Promise<VariantResult> {
  const { target, database, next, kept, folder, clock, signal, at, onProgress, secrets } = context
  const { spec, parameters, label, index } = turn.row
  const startedAt = clock.date()
  const startMs = clock.now()
  await using client = await MongoClient.connect(target.uri, {
    appName: 'mongo-perf',
    serverSelectionTimeoutMS: 30_000,
  })
  const db = client.db(database)
  // Asked now: a server that dies in a phase takes nothing of that phase with it.
  const server = await readServerInfo(client, target.startedByUs)
  checkServerVersion(spec, server.version)
  const compile: CompileContext = { seed: spec.seed, report: notAsChecked }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], compile))
  const data = await prepareData(dataSets, {
    client,
    database,
    spec,
    next: next?.spec,
    kept,
    folder,
    clock,
    signal,
    onLoad: (collection, documents, of, ratePerSecond) =>
      onProgress({ kind: 'load', at, collection, documents, of, ratePerSecond }),
    onLoaded: (loaded) => onProgress({ kind: 'loaded', at, data: loaded }),
  })
  await using sampler = await startSampler({
    members: target.members.map(({ name, host }) => ({ member: name, uri: memberUri(target.uri, host) })),
    clock,
  })
  const phases: PhaseResult[] = []
  const warnings: Warning[] = []
  const phaseStarts = new Map<string, Timestamp>()
  const shape = shapeOfSpec(spec)
  // Nothing that a start-up run does counts.
  const aborting = turn.startUp ? [] : spec.thresholds.filter(({ abort }) => abort).map(({ holds }) => holds)

  for (const [i, phase] of spec.phases.entries()) {
    if (signal.aborted) break
    if (phase.settle || (i === 0 && data.some(isLoaded))) {
      onProgress({ kind: 'settle', at })
      warnings.push(...(await settle(db, { clock, signal, mayWrite: needsDatabase(spec) })))
      if (signal.aborted) break
    }
    if (isReadSince(spec, phase.name)) phaseStarts.set(phase.name, await operationTime(db))
    const plan = compilePhase(phase, ['phases', i], dataSets, compile)
    await prepareBuckets(db, plan)
    const result = await measurePhase(plan, {
      uri: target.uri,
      database,
      clock,
      signal,
      sampler,
      phaseStarts,
      tripwire: createTripwire(aborting, plan, shape),
      secrets,
      onProgress: (progress) => onProgress({ kind: 'phase', at, progress }),
    })
    if (plan.measured) phases.push(result)
    else warnings.push(...setUpWarnings(result))
    if (result.endedBecause === 'aborted') break
  }

  return {
    row: index,
    run: turn.run,
    startUp: turn.startUp,
    label,
    status: isWhole(spec, phases) ? 'done' : 'aborted',
    parameters: Object.fromEntries(parameters) as VariantResult['parameters'],
    facts: spec.target.facts as VariantResult['facts'],
    server,
    data,
    phases,
    commands: [...target.commands],
    warnings,
    startedAt: startedAt.toISOString(),
    seconds: (clock.now() - startMs) / 1000,
  }
}

/** Whether a change stream of a later phase begins where this one does. */
const isReadSince = ({ phases }: SpecRow['spec'], name: string): boolean =>
  phases.some(({ operations }) => operations.some((spec) => spec.kind === 'changeStream' && spec.since === name))

/** An interrupt that came when everything had been sent changes nothing. */
function isWhole(spec: SpecRow['spec'], phases: readonly PhaseResult[]): boolean {
  const measured = spec.phases.filter((phase) => phase.measured)
  return phases.length === measured.length && !phases.some(({ endedBecause }) => endedBecause === 'aborted')
}

/** Whether something of the load may still be under way on the server. */
const isLoaded = ({ rows, source }: DataSetResult): boolean => rows > 0 && source !== 'existing'

/** A spec that has been checked compiles, unless a phase counts on rows that the phases before it did not insert. */
function notAsChecked(path: Path, reason: string): never {
  throw new Problem('spec-invalid', `${pathText(path)}: ${reason}`, {
    hint: 'The phases before it inserted fewer rows than this one counts on.',
  })
}

function setUpWarnings({ name, operations }: PhaseResult): readonly Warning[] {
  const errors = operations.flatMap((operation) => operation.errors)
  const [first] = errors
  if (!first) return []
  const count = errors.reduce((sum, error) => sum + error.count, 0)
  return [
    {
      code: 'set-up-failed',
      message: `${count} calls of the set-up phase "${name}" failed, the first with ${first.code} ${first.name}: ${first.message}`,
      advice: 'What is measured after it may not be what was meant.',
    },
  ]
}
