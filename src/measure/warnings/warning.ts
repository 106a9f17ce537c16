import { type PhaseResult } from '../../results/schema.ts'

/** The result of a phase without the parts that are added after its warnings. */
export type Measured = Omit<PhaseResult, 'warnings' | 'availability'>

/** A rule that finds one kind of problem of a measurement. */
export type WarningRule = {
  readonly code: string
  /** The message, a sentence without a final period. Undefined where the warning does not apply. */
  readonly finds: (phase: Measured) => string | undefined
  readonly advice: string | ((phase: Measured) => string)
}

/** A share as text, such as "12 %". */
export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Texts with commas between them. Undefined where there are none. */
export const list = (words: readonly string[]): string | undefined => (words.length > 0 ? words.join(', ') : undefined)
