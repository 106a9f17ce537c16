import { type RatioInterval } from './estimate.ts'

/** What can be said about B against A, without its text. */
export type Finding =
  | {
      /** B is higher or lower than A: significantly so, and estimated to be so by at least the smallest effect. */
      readonly kind: 'higher' | 'lower'
      readonly effect: 'better' | 'worse'
      readonly pairing: Pairing
      /** Of 95 % if the error rate is 5 %; of this row alone. */
      readonly interval: RatioInterval
    }
  | {
      /** The whole interval lies within the smallest effect. */
      readonly kind: 'same'
      /** The smallest effect: 0.02 is "the same within 2 %". */
      readonly within: number
      readonly pairing: Pairing
      readonly interval: RatioInterval
    }
  | {
      /** Neither of the above. */
      readonly kind: 'cannot tell'
      /**
       * A part of A: 0.12 is 12 %. An effect of this size would have been found 8 times in 10, if the noise is what was measured.
       * Infinity where so few rounds could not have shown any.
       */
      readonly couldHaveSeen: number
      readonly pairing: Pairing
      readonly interval: RatioInterval
    }
  | {
      readonly kind: 'no verdict'
      /** How many more rounds the first verdict takes, at least 1. */
      readonly moreRounds: number
    }

/** Whether what both sides share cancels. */
export type Pairing = 'paired' | 'unpaired'
