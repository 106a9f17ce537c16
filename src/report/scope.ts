import { type OperationResult, type PhaseResult, type Result, type VariantResult } from '../results/schema.ts'

/** What one value is computed from: some operations of one phase in one run. */
export type Scope = {
  readonly variant: VariantResult
  readonly phase: PhaseResult
  readonly operations: readonly OperationResult[]
}

/** A phase, or one operation of it. */
export type Place = { readonly phase: string; readonly operation: string | null }

/** The names that addresses may use. */
export type Shape = {
  readonly phases: readonly { readonly name: string; readonly operations: readonly string[] }[]
  /** No run got through, so phases may be missing: their cells stay empty. */
  readonly partial?: boolean
}

/** Every phase and operation that any run has: a run that ended early has fewer than the others. */
export function shapeOf(result: Result): Shape {
  const phases = new Map<string, Set<string>>()
  for (const phase of result.variants.flatMap((variant) => variant.phases)) {
    const operations = phases.get(phase.name) ?? new Set<string>()
    for (const operation of phase.operations) operations.add(operation.name)
    phases.set(phase.name, operations)
  }
  return {
    phases: [...phases].map(([name, operations]) => ({ name, operations: [...operations] })),
    partial: result.variants.every(({ status }) => status !== 'done'),
  }
}

/** Null when this run did not get that far. */
export function scopeOf(variant: VariantResult, place: Place): Scope | null {
  const phase = variant.phases.find(({ name }) => name === place.phase)
  if (phase === undefined) return null
  if (place.operation === null) return { variant, phase, operations: phase.operations }
  const operations = phase.operations.filter(({ name }) => name === place.operation)
  return operations.length === 0 ? null : { variant, phase, operations }
}

/** Calls that were sent and answered, or given up, whatever came of them. */
export function callsOf(scope: Scope): number {
  return scope.operations.reduce((calls, { ok, failed, unknown }) => calls + ok + failed + unknown, 0)
}
