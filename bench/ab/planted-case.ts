import { type SpecInput } from '../../src/define-spec.ts'
import { type AbOptions } from '../../src/ab/ab.ts'

/** How much slower B is: 0.1 is 10 %. In 0 there is no difference, and above 0 throughput of B is lower. */
export type Planted = 0 | 0.1 | 0.5

/** A comparison whose right verdict is known. */
export type PlantedCase = {
  readonly name: string
  readonly planted: Planted
  readonly spec: string | SpecInput
  readonly options: Omit<AbOptions, 'out' | 'rounds'>
}
