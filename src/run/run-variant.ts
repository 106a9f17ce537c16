import { Problem } from '../core/errors.ts'
import { type Path, pathText } from '../core/json.ts'
import type { VariantResult } from '../results/schema.ts'
import { startSampler } from '../servers/resources/sampler.ts'
import { listUnreported, readServerInfo } from '../servers/resources/server-info.ts'
import { createAdminClient } from '../servers/targets/connection/admin-client.ts'
import { memberUri } from '../servers/targets/connection/members.ts'
import { onCoresOfClient } from '../servers/targets/cores/cores-here.ts'
import type { SpecRow } from '../spec/fold/read-rows.ts'
import { type CompileContext, createDataSet } from '../spec/plan/data-set.ts'
import { shapeOfSpec } from '../spec/plan/shape.ts'
import { dropCollections } from './data/load-collections.ts'
import { lacksMembers, loadData } from './data/load-data.ts'
import { checkServer } from './preflight/check-server.ts'
import { openChecks } from './row-checks.ts'
import type { OpenRow, RowEnvironment } from './row-run.ts'
import { runPhases } from './run-phases.ts'
import type { Turn } from './turns.ts'
import { createVariantResult } from './variant-result.ts'
import { watchTarget } from './watch-target.ts'

/**
 * Loads the data of a row and runs its phases on a target that is ready.
 * @throws {Problem} when its servers or its agents are gone before it has ended.
 */
export async function runVariant(turn: Turn<SpecRow>, environment: RowEnvironment): Promise<VariantResult> {
  const { target, database, agents } = environment
  await using client = createAdminClient(target.uri, {
    showsMembers: true,
    ...(lacksMembers(target) && { writeConcern: { w: 1 } }),
  })
  using watch = watchTarget(target, client, environment)
  const lost = AbortSignal.any([watch.lost, agents?.lost ?? []].flat())
  const signal = AbortSignal.any([environment.signal, lost])
  const { spec } = turn.row
  try {
    lost.throwIfAborted()
    const result = await runRow({ ...environment, signal, turn, spec, client, db: client.db(database), watch })
    lost.throwIfAborted()
    return result
  } catch (error) {
    throw await watch.explain(error)
  }
}

async function runRow(open: OpenRow): Promise<VariantResult> {
  const { target, turn, spec, client, db, clock } = open
  const startedAt = clock.date()
  const startMs = clock.now()
  await client.connect()
  // Asked now: a server that dies in a phase takes nothing of that phase with it.
  const server = await readServerInfo(client, target)
  const unreported = await listUnreported(client, server)
  await checkServer(spec, server, db)
  const compile: CompileContext = { seed: spec.seed, report: notAsChecked, data: spec.data }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], compile))
  await using _ = {
    [Symbol.asyncDispose]: async () => (target.startedByUs ? undefined : dropCollections(db, dataSets)),
  }
  const loaded = await loadData(dataSets, open)
  await using sampler = sampleMembers(open)
  await using checks = openChecks({ ...open, dataSets })
  // Nothing that a start-up run does counts.
  const aborting = turn.startUp ? [] : spec.thresholds.filter(({ abort }) => abort).map(({ holds }) => holds)
  const row = { ...open, server, dataSets, sampler, checks, compile, shape: shapeOfSpec(spec), aborting }
  const ran = await onCoresOfClient(target.cores, () => runPhases(row, loaded.data))
  return await createVariantResult(row, { ...loaded, ...ran, unreported, startedAt, startMs })
}

const sampleMembers = ({ target: { uri, members, besides = [] }, clock, emit }: OpenRow) =>
  startSampler({
    members: [...members, ...besides].map(({ name, host, role, setsLooks }) => ({
      member: name,
      uri: memberUri(uri, host),
      role,
      setsLooks,
    })),
    clock,
    onSample: (member, sample) => emit({ kind: 'sample', member, sample }),
  })

/** A spec that has been checked compiles, unless a phase counts on rows that the phases before it did not insert. */
function notAsChecked(path: Path, reason: string): never {
  throw new Problem('spec-invalid', `${pathText(path)}: ${reason}`, {
    hint: 'The phases before it inserted fewer rows than this one counts on.',
  })
}
