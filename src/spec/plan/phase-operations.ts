import { type Path } from '../../core/json.ts'
import { type StepConcerns } from '../../load/engines/concerns.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import { type ChangeStreamSpec } from '../operations/change-stream.ts'
import {
  type CalledSpec,
  getOperation,
  isCalled,
  type MethodOperationSpec,
  type OperationSpec,
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

/** An operation of a row, with its phase and its place. */
type OperationAt = { readonly phase: PhaseSpec; readonly operation: OperationSpec; readonly path: Path }

/** Every operation of a row, change streams too. */
export const operationsIn = ({ phases }: Pick<Spec, 'phases'>): readonly OperationAt[] =>
  phases.flatMap((phase, p) =>
    phase.operations.map((operation, i) => ({ phase, operation, path: ['phases', p, 'operations', i] })),
  )

export type MethodAt = OperationAt & { readonly method: MethodOperationSpec | StepSpec; readonly operation: CalledSpec }

/** Every method that a row calls: operations of their own, and steps. */
export const methodsIn = (spec: Pick<Spec, 'phases'>): readonly MethodAt[] =>
  operationsIn(spec).flatMap(({ phase, operation, path }) => {
    if (!isCalled(operation)) return []
    const pathOf = (step: number): Path => ('steps' in operation ? [...path, 'steps', step] : path)
    return listMethods(operation).map((method, step) => ({ phase, operation, method, path: pathOf(step) }))
  })

/** Lists the streams that watch while the others are called. */
export const streamsIn = ({ operations }: PhaseSpec): readonly Entry<ChangeStreamSpec>[] =>
  operations.flatMap((spec, index) => (isCalled(spec) ? [] : [{ spec, index }]))

export function groupLoads(loads: readonly PhaseSpec[]): readonly (readonly PhaseSpec[])[] {
  const groups: PhaseSpec[][] = []
  for (const load of loads) {
    const group = groups.at(-1)
    const isParallel = load.parallel !== undefined && group?.[0]?.parallel?.phase === load.parallel.phase
    if (isParallel) group?.push(load)
    else groups.push([load])
  }
  return groups
}
