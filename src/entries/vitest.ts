import { afterAll, expect } from 'vitest'
import { type GivenTo, matchers, type Verification } from '../verdicts/testing/matchers.ts'
import { printUndecided } from '../verdicts/testing/runner-output.ts'

expect.extend(matchers as never)
// Their workers are ended by a signal.
afterAll(() => printUndecided())

declare global {
  // What Chai has, each version of Vitest has: the parameters of its own Matchers differ from version to version.
  namespace Chai {
    interface Assertion extends Verification {}
  }
}

export * from './testing.ts'
export type { GivenTo }
