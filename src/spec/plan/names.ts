import { type OperationSpec, type StepSpec } from '../operations/index.ts'

/** Name of an operation or a step in tables and addresses. */
export const getOperationName = (spec: OperationSpec | StepSpec): string =>
  spec.name ?? (spec.kind === 'function' ? spec.function : spec.kind)
