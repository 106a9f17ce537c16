import { type SpecInput } from '../../src/spec/spec-input.ts'
import { type AbOptions } from '../../src/verdicts/ab/ab.ts'

/** How much more time an operation of B takes, about: 0.1 is 10 %, with which its throughput is that of A divided by 1.1. */
export type Planted = 0 | 0.02 | 0.05 | 0.1 | 0.5

/** A comparison whose right verdict is known. */
export type PlantedCase = {
  readonly name: string
  readonly planted: Planted
  readonly spec: string | SpecInput
  readonly options: Omit<AbOptions, 'out' | 'rounds'>
}
