import { type Db, MongoClient } from 'mongodb'
import { type Clock } from '../clock.ts'
import { Problem } from '../errors.ts'
import { type Path, pathText } from '../json.ts'
import { compilePhase } from '../plan/compile-phase.ts'
import { type CompileContext, createDataSet, type DataSet } from '../plan/data-set.ts'
import { startSampler } from '../resources/sampler.ts'
import { readServerInfo } from '../resources/server-info.ts'
import { type DataSetResult, type PhaseResult, type VariantResult, type Warning } from '../results/schema.ts'
import { type SpecRow } from '../spec/read-rows.ts'
import { memberUri } from '../targets/member-uri.ts'
import { claimDatabase, dropCollectionsOfOurs } from '../targets/ownership.ts'
import { type RunningTarget } from '../targets/target.ts'
import { loadData } from './load-data.ts'
import { measurePhase } from './measure-phase.ts'
import { type Turn } from './order.ts'
import { type OnProgress, type Position } from './progress.ts'
import { settle } from './settle.ts'

export type VariantContext = {
  readonly target: RunningTarget
  readonly database: string
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly at: Position
  readonly onProgress: OnProgress
  /** Texts that must not get into the result. */
  readonly secrets: readonly string[]
}

/** Loads the data of a row and runs its phases on a target that is ready. */
export async function runVariant(turn: Turn<SpecRow>, context: VariantContext): Promise<VariantResult> {
  const { target, database, clock, signal, at, onProgress, secrets } = context
  const { spec, parameters, label, index } = turn.row
  const startedAt = clock.date()
  const startMs = clock.now()
  await using client = await MongoClient.connect(target.uri, {
    appName: 'mongo-perf',
    serverSelectionTimeoutMS: 30_000,
  })
  const db = client.db(database)
  await claimDatabase(db)
  await dropCollectionsOfOurs(db)
  // Asked now: a server that dies in a phase takes nothing of that phase with it.
  const server = await readServerInfo(client, target.startedByUs)
  const compile: CompileContext = { seed: spec.seed, report: notAsChecked }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], compile))
  const data = await loadAll(db, dataSets, context)
  await using sampler = await startSampler({
    members: target.members.map(({ name, host }) => ({ member: name, uri: memberUri(target.uri, host) })),
    clock,
  })
  const phases: PhaseResult[] = []
  const warnings: Warning[] = []

  for (const [i, phase] of spec.phases.entries()) {
    if (signal.aborted) break
    if (phase.settle || (i === 0 && data.some(({ rows }) => rows > 0))) {
      onProgress({ kind: 'settle', at })
      warnings.push(...(await settle(db, clock, signal)))
      if (signal.aborted) break
    }
    const plan = compilePhase(phase, ['phases', i], dataSets, compile)
    const result = await measurePhase(plan, {
      uri: target.uri,
      database,
      clock,
      signal,
      sampler,
      secrets,
      onProgress: (progress) => onProgress({ kind: 'phase', at, progress }),
    })
    if (plan.measured) phases.push(result)
    else warnings.push(...setUpWarnings(result))
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

/** An interrupt that came when everything had been sent changes nothing. */
function isWhole(spec: SpecRow['spec'], phases: readonly PhaseResult[]): boolean {
  const measured = spec.phases.filter((phase) => phase.measured)
  return phases.length === measured.length && !phases.some(({ endedBecause }) => endedBecause === 'aborted')
}

async function loadAll(
  db: Db,
  dataSets: readonly DataSet[],
  { clock, signal, at, onProgress }: VariantContext,
): Promise<DataSetResult[]> {
  const results: DataSetResult[] = []
  for (const dataSet of dataSets) {
    const { collection, rows } = dataSet.spec
    results.push(
      await loadData(db, dataSet, {
        clock,
        signal,
        onProgress: (documents, ratePerSecond) =>
          onProgress({ kind: 'load', at, collection, documents, of: rows, ratePerSecond }),
      }),
    )
  }
  return results
}

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
