import { type SpecInput } from './spec-input.ts'

/**
 * Returns its argument, a spec in a program: editors complete and explain its keys, and the compiler refuses unknown ones.
 * `run` and `loadSpec` validate it like a file.
 */
export const defineSpec = (spec: SpecInput): SpecInput => spec
