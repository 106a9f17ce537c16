import { type PhaseResult } from '../../results/schema.ts'

/** What there is of a phase when its doubts are looked for. */
export type Measured = Omit<PhaseResult, 'warnings' | 'availability'>

/** One reason to doubt a measurement. */
export type Doubt = {
  readonly code: string
  /** What is in doubt here, a sentence without a final period; undefined when nothing is. */
  readonly finds: (phase: Measured) => string | undefined
  readonly advice: string | ((phase: Measured) => string)
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Undefined where there are none. */
export const list = (words: readonly string[]): string | undefined => (words.length > 0 ? words.join(', ') : undefined)
