import { groupDigits } from '../../core/quantities.ts'
import { type Scope } from '../scope.ts'

export type LimitFinding = {
  /** How much of what there is was used, 0 to 1. */
  readonly share: number
  /** The figures that decided it: "host 97 % busy". */
  readonly text: string
}

/** One thing that can limit a phase. */
export type LimitRule = {
  readonly name: string
  /** The end of a sentence on what would raise the limit. */
  readonly remedy: string
  /** Null where nothing speaks for it. */
  readonly finds: (scope: Scope) => LimitFinding | null
}

/** From this share on, something is used up: the rest is lost between the samples and the operations. */
export const nearlyAll = 0.85

/** A share as text: "97 %". */
export const inPercent = (share: number): string => `${groupDigits(Math.round(share * 100))} %`
