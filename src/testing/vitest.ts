import { afterAll, expect } from 'vitest'
import { type GivenTo, matchers, type Verification } from './matchers.ts'
import { printUndecided } from './undecided.ts'

expect.extend(matchers as never)
// Their workers are ended by a signal.
afterAll(() => printUndecided())

declare module 'vitest' {
  // The names are Vitest's.
  interface Matchers<T> extends Verification {}
}

export * from './index.ts'
export type { GivenTo }
