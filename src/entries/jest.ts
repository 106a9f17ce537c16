import { refuseWithoutRunner } from '../verdicts/testing/absent-runner.ts'
import { type GivenTo, matchers, type Verification } from '../verdicts/testing/matchers.ts'
import { jestTests } from '../verdicts/testing/watch/runners.ts'
import { watchQueriesIn } from '../verdicts/testing/watch/watch-queries.ts'
import { type Place, type WatchOptions } from './testing.ts'

const { expect } = await import('@jest/globals').catch((error: Error) => refuseWithoutRunner('jest', error))
expect.extend(matchers as never)

/** The `watchQueries` for Jest: call it in a file of `setupFilesAfterEnv`. Jest runs no hooks for `test.concurrent`, so these tests have no limits. */
export function watchQueries(on: Place, options: WatchOptions = {}): void {
  watchQueriesIn(jestTests(globalThis as never), on, options)
}

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
