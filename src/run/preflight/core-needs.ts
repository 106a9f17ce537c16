import { type CoreNeeds } from '../../servers/targets/cores/divide-cores.ts'
import { maxCpus } from '../../servers/targets/index.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'

/** What rows need of their cores. All of them together: rows whose cores differ would not compare. */
export const computeCoreNeeds = (rows: readonly SpecRow[]): CoreNeeds => ({
  threads: Math.max(1, ...rows.flatMap(({ spec }) => spec.phases.map(({ load: { threads = 1 } }) => threads))),
  cpus: Math.max(0, ...rows.map(({ spec }) => maxCpus(spec.target))),
})
