import { expect } from '@jest/globals'
import { type GivenTo, matchers, type Verification } from '../verdicts/testing/matchers.ts'

expect.extend(matchers as never)

declare module 'expect' {
  // The names are Jest's.
  interface Matchers<R extends void | Promise<void>, T> extends Verification {}
}

declare global {
  // Those of @types/jest, where it is used instead of an import of @jest/globals.
  namespace jest {
    interface Matchers<R, T> extends Verification {}
  }
}

export * from './testing.ts'
export type { GivenTo }
