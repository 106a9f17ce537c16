import { Problem } from '../../core/errors.ts'
import { type RunFunctions } from '../../load/engines/load-functions.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { calledIn, listMethods } from '../../spec/plan/phase-operations.ts'
import { type PhaseSpec } from '../../spec/schema/phase-schema.ts'

/** @throws {Problem} "usage" where functions that were handed in as values are to be called on several threads. */
export function checkFunctions({ rows }: Pick<LoadedSpec, 'rows'>, { file }: RunFunctions): void {
  if (file !== undefined) return
  const phase = rows.flatMap(({ spec }) => spec.phases).find((one) => usesThreads(one) && callsFunctions(one))
  if (phase === undefined) return
  throw new Problem(
    'usage',
    `The phase "${phase.name}" calls functions on several threads, and threads cannot share functions passed as values`,
    {
      hint: 'Name the module that exports them, so that each thread loads it: run(spec, { functions: "perf/functions.js" }); or leave "threads" out of the spec.',
    },
  )
}

const usesThreads = ({ load }: PhaseSpec): boolean => load.threads !== undefined && load.threads > 1

/** Whether operations of a phase are functions that are handed in. */
export const callsFunctions = (phase: PhaseSpec): boolean =>
  calledIn(phase).some(({ spec }) => listMethods(spec).some(({ kind }) => kind === 'function'))
