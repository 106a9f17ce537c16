import { type Counter } from '../counter.ts'
import { type CallContext, type RowSource } from '../generators/generator.ts'
import { type Path, pathText } from '../json.ts'
import { type DrawBudget } from './draw-budget.ts'

/** Tells of something wrong at a place in the folded spec: at its key rather than its value if so told. */
export type Report = (path: Path, reason: string, atKey?: boolean) => void

/** Where a value stands, and what it may use there. */
export type ValueScope = {
  readonly seed: number
  /** Names the place for draws; array indexes of phases and operations are not in it, their names are. */
  readonly place: string
  /** Path in the folded spec, for reports. */
  readonly path: Path
  readonly inRow: boolean
  readonly call: CallContext | undefined
  readonly rows: (of: string | undefined, report: (reason: string) => void) => RowSource | undefined
  readonly report: Report
  /** What making values here may cost. Undefined: they are sent, whatever they cost. */
  readonly budget?: DrawBudget | undefined
  /** A counter that all callers of a pass share. */
  readonly counter: () => Counter
  /** Slot in the moment of each name that `@var` may use. */
  readonly variables: ReadonlyMap<string, number>
}

export const child = (scope: ValueScope, ...steps: Path): ValueScope => ({
  ...scope,
  place: `${scope.place}.${pathText(steps)}`,
  path: [...scope.path, ...steps],
})

/** Above all slots in use: a name that hides another has a slot of its own. */
export const nextSlot = ({ variables }: ValueScope): number => Math.max(-1, ...variables.values()) + 1
