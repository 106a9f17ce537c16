import { type ChangeStreamSpec } from '../operations/change-stream.ts'
import { type CalledSpec, isCalled, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { type PhaseSpec } from '../spec/phase-schema.ts'

/** An entry of a phase's list, with its place there. */
export type Entry<Spec> = { readonly spec: Spec; readonly index: number }

/** What is drawn and called, in the order in which engines number it. */
export const calledIn = ({ operations }: PhaseSpec): readonly Entry<CalledSpec>[] =>
  operations.flatMap((spec, index) => (isCalled(spec) ? [{ spec, index }] : []))

/** The methods that an operation calls: itself, or its steps. */
export const methodsOf = (operation: CalledSpec): readonly (MethodOperationSpec | StepSpec)[] =>
  operation.kind === 'steps' ? operation.steps : [operation]

/** What watches while the others are called. */
export const streamsIn = ({ operations }: PhaseSpec): readonly Entry<ChangeStreamSpec>[] =>
  operations.flatMap((spec, index) => (isCalled(spec) ? [] : [{ spec, index }]))
