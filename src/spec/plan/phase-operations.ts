import { type Path } from '../../core/json.ts'
import { type StepConcerns } from '../../load/engines/concerns.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import { type ChangeStreamSpec } from '../operations/change-stream.ts'
import {
  type CalledSpec,
  getOperation,
  isCalled,
  type MethodOperationSpec,
  type StepSpec,
} from '../operations/index.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'

/** An entry of a phase's list, with its place there. */
export type Entry<Written> = { readonly spec: Written; readonly index: number }

/** Lists drawn and called operations, in the order in which engines number them. */
export const calledIn = ({ operations }: PhaseSpec): readonly Entry<CalledSpec>[] =>
  operations.flatMap((spec, index) => (isCalled(spec) ? [{ spec, index }] : []))

/** The methods that an operation calls: itself, or its steps. */
export const listMethods = (operation: CalledSpec): readonly (MethodOperationSpec | StepSpec)[] =>
  'steps' in operation ? operation.steps : [operation]

export const getStepConcerns = (method: MethodOperationSpec | StepSpec): StepConcerns => ({
  writeConcern: 'writeConcern' in method ? method.writeConcern : undefined,
  readPreference: 'readPreference' in method ? method.readPreference : undefined,
})

/** Write concerns of an operation: a transaction brings its own, and a step may. */
export const listWriteConcerns = (
  operation: CalledSpec,
  phase: PhaseSpec,
  methods = listMethods(operation),
): readonly PhaseSpec['writeConcern'][] =>
  operation.kind === 'transaction'
    ? [operation.writeConcern]
    : methods
        .filter(({ kind }) => replyTraits[getOperation(kind).reply].writes)
        .map((method) => getStepConcerns(method).writeConcern ?? phase.writeConcern)

type MethodAt = { readonly method: MethodOperationSpec | StepSpec; readonly path: Path }

/** Every method that a row calls, with its place. */
export const methodsWithPaths = ({ phases }: Pick<Spec, 'phases'>): readonly MethodAt[] =>
  phases.flatMap((phase, p) =>
    calledIn(phase).flatMap(({ spec, index }) => {
      const path = ['phases', p, 'operations', index]
      return listMethods(spec).map((method, s) => ({
        method,
        path: 'steps' in spec ? [...path, 'steps', s] : path,
      }))
    }),
  )

/** Lists the streams that watch while the others are called. */
export const streamsIn = ({ operations }: PhaseSpec): readonly Entry<ChangeStreamSpec>[] =>
  operations.flatMap((spec, index) => (isCalled(spec) ? [] : [{ spec, index }]))

export function groupLoads(loads: readonly PhaseSpec[]): readonly (readonly PhaseSpec[])[] {
  const groups: PhaseSpec[][] = []
  for (const load of loads) {
    const group = groups.at(-1)
    const isBeside = load.beside !== undefined && group?.[0]?.beside?.phase === load.beside.phase
    if (isBeside) group?.push(load)
    else groups.push([load])
  }
  return groups
}
