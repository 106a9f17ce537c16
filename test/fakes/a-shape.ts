import { type PhaseShape, type Shape } from '../../src/metrics/scope.ts'

/** A phase of operations of one call each, with some of its parts replaced. */
export function aPhaseShape(name: string, operations: readonly string[], parts: Partial<PhaseShape> = {}): PhaseShape {
  return {
    name,
    operations: operations.map((operation) => ({ name: operation, steps: [] })),
    streams: [],
    keepsSamples: false,
    ...parts,
  }
}

export const aShape = (...phases: readonly PhaseShape[]): Shape => ({ phases })
