import { type Report } from '../../language/issues.ts'
import { type DrawBudget } from '../../language/values/draw-context.ts'
import { type SpecRow } from '../fold/read-rows.ts'
import { type Overrides } from '../parse/overrides.ts'
import { type Spec } from '../schema/schema.ts'

/** Something that must hold for a row of a spec, and that its schema cannot express. */
export type Rule = {
  /** The code of its issues. */
  readonly name: string
  /** Parts that must be whole: where something in them was omitted, what the rule finds may be a consequence. */
  readonly reads: readonly (keyof Spec)[]
  readonly check: (spec: Spec, report: Report, given: Given) => void
}

/** Inputs that rules may need in addition to the spec. */
export type Given = {
  readonly row: SpecRow
  readonly overrides: Overrides
  /** The folder to which paths of data files are relative. Undefined: they are on another machine. */
  readonly folder?: string | undefined
  /** Budget left for drawing values in a trial. */
  readonly budget: DrawBudget
  /** Counts data sets and phases that were not tried completely. */
  readonly noteUntried: (count: number) => void
}
