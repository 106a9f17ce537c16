import { afterAll, expect } from 'vitest'
import { type GivenTo, matchers, type Verification } from '../verdicts/testing/matchers.ts'
import { printUndecided } from '../verdicts/testing/runner-output.ts'

expect.extend(matchers as never)
// Their workers are ended by a signal.
afterAll(() => printUndecided())

declare module 'vitest' {
  // The names are Vitest's.
  interface Matchers<T> extends Verification {}
}

export * from './testing.ts'
export type { GivenTo }
