import { type PhasePlan } from '../src/load/plan/plan.ts'
import { loadSpecText } from '../src/spec/load-spec.ts'
import { compilePhase } from '../src/spec/plan/compile-phase.ts'
import { createDataSet, type DataSet } from '../src/spec/plan/data-set.ts'
import { type SpecInput } from '../src/spec/spec-input.ts'

export type Compiled = { readonly phase: PhasePlan; readonly dataSets: readonly DataSet[] }

/** The only phase of a spec, compiled as a run compiles it. */
export function compileSpec(input: SpecInput): Compiled {
  const [row] = loadSpecText(JSON.stringify(input), 'bench').rows
  const [phase] = row?.spec.phases ?? []
  if (!row || !phase) throw new Error('The spec has no phase')
  const context = {
    seed: row.spec.seed,
    report: (_path: unknown, reason: string): never => {
      throw new Error(reason)
    },
  }
  const dataSets = row.spec.data.map((data, i) => createDataSet(data, ['data', i], context))
  return { phase: compilePhase(phase, ['phases', 0], dataSets, context), dataSets }
}

type Load =
  | { readonly kind: 'closed'; readonly workers: number; readonly threads?: number }
  | { readonly kind: 'open'; readonly ratePerSecond: number; readonly maxInFlight: number }

type End = { readonly seconds: number } | { readonly operations: number }
type Ends = { readonly warmup?: End; readonly stopAfter?: End }

/** `findOne` by a uniform key among so many documents of 1 KB with four fields: decoding is the driver's part, and not what is asked here. */
export const findByKey = (documents: number, load: Load, ends: Ends = {}): SpecInput => ({
  name: 'bench',
  data: {
    collection: 'documents',
    rows: documents,
    document: { _id: { '@row': {} }, number: 1, text: 'x'.repeat(1000), tags: ['a', 'b', 'c'] },
  },
  phases: [
    {
      name: 'read',
      load,
      stopAfter: { seconds: 5 },
      ...ends,
      readConcern: { level: 'local' },
      operations: [{ kind: 'findOne', filter: { _id: { '@key': { distribution: 'uniform' } } } }],
    },
  ],
})
