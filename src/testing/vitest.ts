import { expect } from 'vitest'
import { type GivenTo, matchers, type Verification } from './matchers.ts'

expect.extend(matchers as never)

declare module 'vitest' {
  // The names are Vitest's.
  interface Matchers<T> extends Verification {}
}

export * from './index.ts'
export type { GivenTo }
