import { type MongoClient } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { type Path, pathText } from '../core/json.ts'
import { transactionNeedsSet } from '../load/engines/engine.ts'
import { warningsOfLimits, warningsOfMachine, warningsOfServer } from '../load/measure/machine-warnings.ts'
import { type DataSetResult, type PhaseResult, type VariantResult } from '../results/schema.ts'
import { type ServerInfo } from '../results/schema/servers.ts'
import { type RowWarning } from '../results/warnings/weights.ts'
import { startSampler } from '../servers/resources/sampler.ts'
import { listUnreported, readServerInfo } from '../servers/resources/server-info.ts'
import { createAdminClient } from '../servers/targets/connection/admin-client.ts'
import { memberUri } from '../servers/targets/connection/members.ts'
import { mongoshLineTo } from '../servers/targets/server/shell-line.ts'
import { listServerLimits } from '../servers/targets/start/shared-servers.ts'
import { type RunningTarget } from '../servers/targets/target.ts'
import { type SpecRow } from '../spec/fold/read-rows.ts'
import { type CompileContext, createDataSet, type DataSet } from '../spec/plan/data-set.ts'
import { balancerFor } from '../spec/plan/sharding-commands.ts'
import { type DataSetSpec } from '../spec/schema/data-schema.ts'
import { type Spec } from '../spec/schema/schema.ts'
import { type OnSent } from './data/indexes.ts'
import { dropCopies } from './data/load-copies.ts'
import { type ReusableData, type PrepareContext, prepareData } from './data/prepare-data.ts'
import { onCoresOfClient } from './pin-client.ts'
import { checkSearchServer, checkServerVersion } from './preflight/check-server-version.ts'
import { checkConnections } from './preflight/descriptors.ts'
import { readSharding } from './read-sharding.ts'
import { readStorage, tellsStorage } from './read-storage.ts'
import { type RowEnvironment } from './run-environment.ts'
import { runPhases } from './run-phases.ts'
import { type Turn } from './turns/order.ts'
import { type TargetWatch, watchTarget } from './watch-target.ts'
import { withoutLimits } from './without-limits.ts'

export type VariantContext = RowEnvironment & {
  /** The row that comes after this one on the same running target. */
  readonly next: SpecRow | undefined
  /** Data that the row before left on the target; data that this row leaves is put in. */
  readonly kept: ReusableData
  /** Whether runs before this one have used the target. */
  readonly isUsed: boolean
  /** Folder in which relative paths of the spec begin. */
  readonly folder: string
  readonly agentsLost: AbortSignal | undefined
}

/**
 * Loads the data of a row and runs its phases on a target that is ready.
 * @throws {Problem} when its servers or its agents are gone before it has ended.
 */
export async function runVariant(turn: Turn<SpecRow>, context: VariantContext): Promise<VariantResult> {
  const { target } = context
  await using client = createAdminClient(target.uri, {
    showsMembers: true,
    ...(lacksMembers(target) && { writeConcern: { w: 1 } }),
  })
  using watch = watchTarget(target, client, context)
  const lost = AbortSignal.any([watch.lost, context.agentsLost ?? []].flat())
  const signal = AbortSignal.any([context.signal, lost])
  try {
    lost.throwIfAborted()
    const result = await runOn(client, turn, { ...context, signal, watch })
    lost.throwIfAborted()
    return result
  } catch (error) {
    throw await watch.explain(error)
  }
}

async function runOn(
  client: MongoClient,
  turn: Turn<SpecRow>,
  context: VariantContext & { readonly watch: TargetWatch },
): Promise<VariantResult> {
  const { target, database, clock, emit } = context
  const { spec, parameters, label, index, limitsNotKept } = turn.row
  const startedAt = clock.date()
  const startMs = clock.now()
  await client.connect()
  const db = client.db(database)
  // Asked now: a server that dies in a phase takes nothing of that phase with it.
  const server = await readServerInfo(client, target)
  const unreported = await listUnreported(client, server)
  checkServerVersion(spec, server.version)
  await checkSearchServer(spec, db)
  checkTopology(spec, server)
  await checkConnections(spec, client.db('admin'))
  const compile: CompileContext = { seed: spec.seed, report: notAsChecked, data: spec.data }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], compile))
  await using _ = { [Symbol.asyncDispose]: async () => (target.startedByUs ? undefined : dropCopies(db, dataSets)) }
  const { data, commands } = await loadData(turn.row, client, dataSets, context)
  await using sampler = startSampler({
    members: [...target.members, ...(target.besides ?? [])].map(({ name, host, role, setsLooks }) => ({
      member: name,
      uri: memberUri(target.uri, host),
      role,
      setsLooks,
    })),
    clock,
    onSample: (member, sample) => emit({ kind: 'sample', member, sample }),
  })
  const { phases, checks, warnings } = await onCoresOfClient(target.cores, () =>
    runPhases(turn, { ...context, db, server, sampler, compile, dataSets, data }),
  )
  return {
    row: index,
    run: turn.run,
    startUp: turn.startUp,
    label,
    status: isWhole(spec, phases) ? 'done' : 'aborted',
    parameters: Object.fromEntries(parameters) as VariantResult['parameters'],
    facts: spec.target.facts as VariantResult['facts'],
    server,
    ...(target.startedByUs && { servers: context.isUsed ? 'kept' : 'fresh' }),
    data,
    phases,
    checks,
    storage:
      tellsStorage(spec) && !context.signal.aborted ? await readStorage(client, database, dataSets, target) : null,
    sharding: context.signal.aborted ? null : await readSharding(client, { spec, database, phases, server }),
    commands: [...target.commands, ...commands],
    warnings: [
      ...warningsOfMachine({ cores: whyShared(target.cores), limits: limitsNotKept }),
      ...warningsOfLimits(server),
      ...warningsOfServer(server, unreported),
      ...warningsOfData(spec.data, data),
      ...warnings,
    ],
    startedAt: startedAt.toISOString(),
    seconds: (clock.now() - startMs) / 1000,
  }
}

const whyShared = (cores: RunningTarget['cores']): string | undefined =>
  cores !== undefined && 'reason' in cores ? cores.reason : undefined

type Loaded = {
  readonly data: DataSetResult[]
  /** Commands that placed it, to be repeated by hand. */
  readonly commands: readonly string[]
}

async function loadData(
  { spec }: SpecRow,
  client: MongoClient,
  dataSets: readonly DataSet[],
  context: VariantContext,
): Promise<Loaded> {
  const { target, next, at, emit } = context
  const commands: string[] = []
  const onSent: OnSent = (collection, sent) => {
    const lines = sent.map((command) => mongoshLineTo(addressFor(spec, target), command))
    commands.push(...lines)
    emit({ kind: 'setUp', at, collection, commands: lines })
  }
  const preparation: PrepareContext = {
    ...context,
    client,
    spec,
    commitQuorum: lacksMembers(target) ? 1 : undefined,
    next: next?.spec,
    onSent,
    cluster: {
      admin: (command) => client.db('admin').command(command),
      startedByUs: target.startedByUs,
      balancer: balancerFor(spec.data),
      onSent,
    },
  }
  const data = await withoutLimits(target, listServerLimits(spec.target), () => prepareData(dataSets, preparation))
  return { data, commands }
}

/** Where members are stopped on purpose, setting up must not wait for them: the primary's word is enough. */
const lacksMembers = ({ stopped = [] }: RunningTarget): boolean => stopped.length > 0

/** Returns the address with which a shell reaches the target. The URI of an existing server holds secrets. */
const addressFor = ({ target }: Spec, { uri }: RunningTarget): string =>
  target.kind === 'existing' ? `"$${target.uriFrom}"` : uri

/** An interrupt that came when everything had been sent changes nothing. */
function isWhole(spec: Spec, phases: readonly PhaseResult[]): boolean {
  const measured = spec.phases.filter((phase) => phase.measured)
  // A phase in stretches has a result for each of them.
  return (
    new Set(phases.map(({ name }) => name)).size === measured.length &&
    !phases.some(({ endedBecause }) => endedBecause === 'aborted')
  )
}

/** A spec that has been checked compiles, unless a phase counts on rows that the phases before it did not insert. */
function notAsChecked(path: Path, reason: string): never {
  throw new Problem('spec-invalid', `${pathText(path)}: ${reason}`, {
    hint: 'The phases before it inserted fewer rows than this one counts on.',
  })
}

/** Warnings about collections that are there and hold fewer documents than the spec draws keys of. */
const warningsOfData = (
  specs: readonly Pick<DataSetSpec, 'existing' | 'rows'>[],
  found: readonly Pick<DataSetResult, 'rows'>[],
): readonly RowWarning[] =>
  specs.flatMap(({ existing, rows }, i) => {
    const documents = found[i]?.rows ?? 0
    if (existing === undefined || documents >= rows) return []
    return {
      code: 'documents-missing',
      message: `"${existing}" has ${documents === 1 ? '1 document' : `${documents} documents`}; the spec draws keys of ${rows}`,
      advice: 'Load the others, or set "rows" of the data to what is there; of a workload of YCSB, "recordcount".',
    }
  })

/** @throws {Problem} "spec-invalid" when the server cannot do what the spec asks for, because it stands alone. */
function checkTopology({ phases }: Pick<Spec, 'phases'>, { topology }: Pick<ServerInfo, 'topology'>): void {
  const phase = phases.find(({ operations }) => operations.some(({ kind }) => kind === 'transaction'))
  if (phase === undefined || topology !== 'standalone') return
  throw new Problem('spec-invalid', `The phase "${phase.name}" cannot run: ${transactionNeedsSet}`, {
    hint: 'Measure a replica set, if only one of a single member: "target": {"kind": "replicaSet", "members": 1}.',
  })
}
