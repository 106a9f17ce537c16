import { Problem } from '../../core/errors.ts'
import { distinct } from '../../core/json.ts'
import { codeOperators } from '../../language/values/keys.ts'
import { checkFaultsHere } from '../../servers/faults/check-here.ts'
import { type CoreNeeds } from '../../servers/targets/cores/divide-cores.ts'
import { checkUris, type UriContext } from '../../servers/targets/existing/reach-existing.ts'
import { checkTargets, maxCpus, type TargetSpec } from '../../servers/targets/index.ts'
import { findRouter } from '../../servers/targets/sharded.ts'
import { targetHere, wantedMongods } from '../../servers/targets/start/target-here.ts'
import { type StartContext } from '../../servers/targets/target.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { targetsToRun, type TurnPlan } from '../turns.ts'
import { preflightDescriptors } from './descriptors.ts'
import { preflightDisk } from './disk.ts'
import { refuseOtherConcerns, type RowWithUri } from './uri-concerns.ts'

/**
 * Fits a spec to this machine, before anything depends on it: lifts the limits that rows do not require and this machine cannot keep.
 * @returns the spec, and how its servers are started.
 */
export async function fitToMachine<Start extends StartContext>(
  loaded: LoadedSpec,
  context: Start,
): Promise<{ readonly spec: LoadedSpec; readonly start: Start }> {
  const rows = await Promise.all(
    loaded.rows.map(async (row) => {
      const { spec: target, ...reason } = await targetHere(row.spec.target, context)
      return { ...row, spec: { ...row.spec, target }, ...reason }
    }),
  )
  const start = { ...context, coreNeeds: computeCoreNeeds(rows), scripting: rows.some(runsCode), seed: loaded.seed }
  return { spec: { ...loaded, rows }, start }
}

/** Computes the core needs of rows. All of them together: rows whose cores differ would not compare. */
export const computeCoreNeeds = (rows: readonly SpecRow[]): CoreNeeds => ({
  threads: Math.max(1, ...rows.flatMap(({ spec }) => spec.phases.map(({ load: { threads = 1 } }) => threads))),
  cpus: Math.max(0, ...rows.map(({ spec }) => maxCpus(spec.target))),
})

/** Whether a row runs code on the server. It was loaded, so the command line allows that too. */
const runsCode = ({ spec }: SpecRow): boolean => codeOperators.some((operator) => spec.allow.includes(operator))

/**
 * Finds out whether all rows can be run here, before the first of them starts.
 * @throws {Problem} for the first thing that is missing.
 */
export async function preflight(plan: TurnPlan, start: StartContext): Promise<void> {
  const { rowsToRun } = plan
  const wanted = targetsToRun(plan)
  const faults = rowsToRun.flatMap(({ spec }) => spec.phases.flatMap((phase) => phase.faults ?? []))
  await checkTargets(wanted, start)
  await preflightDescriptors(rowsToRun, start.resources)
  await preflightDisk(rowsToRun, start.tempFolder, start.resources)
  await checkFaultsHere(faults, start.host)
  await preflightBinaries(wanted, start)
  await preflightRouters(wanted, start)
}

/**
 * Looks for the variables that the targets of rows name, before any of them is started or contacted.
 * @throws {Problem} with all that are missing, or an option of a URI that a phase contradicts.
 */
export function preflightUris(rows: readonly RowWithUri[], context: UriContext): void {
  const variables = rows.flatMap(({ spec: { target } }) => (target.kind === 'existing' ? target.uriFrom : []))
  checkUris([...new Set(variables)], context)
  refuseOtherConcerns(rows, context)
}

/**
 * Finds a binary for the targets of all rows, and fetches those that are not there yet, before the first row starts: a run
 * that takes hours must not end at a row that could never have run.
 * @throws {Problem} with all that are missing.
 */
export async function preflightBinaries(
  targets: readonly TargetSpec[],
  { mongod }: Pick<StartContext, 'mongod'>,
): Promise<void> {
  const missing: Problem[] = []
  for (const wanted of distinct(targets.flatMap(wantedMongods))) {
    try {
      await mongod(wanted)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // The run itself ends as one that was aborted.
      if (error.code === 'aborted') return
      if (error.code !== 'no-server') throw error
      missing.push(error)
    }
  }
  const [first, ...others] = missing
  if (first === undefined) return
  if (others.length === 0) throw first
  throw new Problem('no-server', missing.map(({ message }) => message).join('\n'), {
    hint: 'Nothing was started. `mongo-perf list binaries` shows what is there; --only runs the other rows.',
  })
}

/**
 * Looks for the routers of sharded clusters, before any server of theirs is started.
 * @throws {Problem} "not-measurable-here" where there is none.
 */
export async function preflightRouters(
  targets: readonly TargetSpec[],
  context: Pick<StartContext, 'mongod' | 'mongos'>,
): Promise<void> {
  try {
    for (const target of targets) if (target.kind === 'sharded') await findRouter(target, context)
  } catch (error) {
    // The run itself ends as one that was aborted.
    if (error instanceof Problem && error.code === 'aborted') return
    throw error
  }
}
