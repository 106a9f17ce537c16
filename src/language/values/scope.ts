import { type Path, pathText } from '../../core/json.ts'
import { type CallContext, type RowSource } from '../generators/generator.ts'
import { type Report } from '../issues.ts'
import { type DrawBudget } from './draw-context.ts'

/** The place of a value in the spec, and what it may use there. */
export type ValueScope = {
  readonly seed: number
  /** Identifies the place for draws: names of phases and operations instead of their indexes. */
  readonly place: string
  /** Path in the folded spec, for error messages. */
  readonly path: Path
  readonly inRow: boolean
  readonly call: CallContext | undefined
  readonly rows: (of: string | undefined, report: (reason: string) => void) => RowSource | undefined
  readonly report: Report
  /** Limits what drawing values may cost. Undefined: no limit, since the values are sent. */
  readonly budget?: DrawBudget | undefined
  /** A counter that all workers of a pass share. */
  readonly counter: () => Counter
  /** Index in `variables` of the draw context for each name that `@var` may read. */
  readonly variables: ReadonlyMap<string, number>
}

export const child = (scope: ValueScope, ...steps: Path): ValueScope => ({
  ...scope,
  place: `${scope.place}.${pathText(steps)}`,
  path: [...scope.path, ...steps],
})

/** The first unused slot: a name that shadows another one gets a slot of its own. */
export const nextSlot = ({ variables }: ValueScope): number => Math.max(-1, ...variables.values()) + 1

/** Gives out whole numbers from 0 on, none of them twice. */
export type Counter = { readonly take: () => number }

/** @param step Default 1: one after the other. With more, several counters share the numbers: each begins at its own `from`. */
export function createCounter(from = 0, step = 1): Counter {
  let next = from
  return {
    take() {
      const taken = next
      next += step
      return taken
    },
  }
}
