import { type PhasePlan } from '../../src/load/plan/plan.ts'
import { type SpecRow } from '../../src/spec/fold/read-rows.ts'
import { compilePhase } from '../../src/spec/plan/compile-phase.ts'
import { createDataSet, type DataSet } from '../../src/spec/plan/data-set.ts'
import { oneRow } from './a-spec.ts'
import { fail } from './fail.ts'

/** The plans of all phases of a row, and its data sets. */
export function plansOf({ spec }: SpecRow): { readonly plans: readonly PhasePlan[]; readonly dataSets: DataSet[] } {
  const context = { seed: spec.seed, report: (_: unknown, reason: string) => fail(reason) }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], context))
  return { plans: spec.phases.map((phase, i) => compilePhase(phase, ['phases', i], dataSets, context)), dataSets }
}

/** The plan of the last phase of a row. */
export const lastPlanOf = (row: SpecRow): PhasePlan => plansOf(row).plans.at(-1) ?? fail('no phase')

/** The plan of the last phase of a small spec with these parts. */
export const aPlan = (parts: { readonly [key: string]: unknown } = {}): PhasePlan => lastPlanOf(oneRow(parts))
