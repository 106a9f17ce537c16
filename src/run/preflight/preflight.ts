import { codeOperators } from '../../language/values/keys.ts'
import { checkFaultsHere } from '../../servers/faults/check-here.ts'
import { type CoreNeeds } from '../../servers/targets/cores/divide-cores.ts'
import { checkTargets, maxCpus } from '../../servers/targets/index.ts'
import { targetHere } from '../../servers/targets/target-here.ts'
import { type StartContext } from '../../servers/targets/target.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { targetsToRun, type TurnPlan } from '../turns/plan-turns.ts'
import { preflightDescriptors } from './descriptors.ts'
import { preflightDisk } from './disk.ts'
import { preflightBinaries, preflightRouters } from './targets.ts'

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

/** What rows need of their cores. All of them together: rows whose cores differ would not compare. */
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
