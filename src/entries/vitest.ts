import { type RunnerTestCase } from 'vitest'
import { refuseWithoutRunner } from '../verdicts/testing/absent-runner.ts'
import { type GivenTo, matchers, type Verification } from '../verdicts/testing/matchers.ts'
import { annotateTestsBy, printAtEnd } from '../verdicts/testing/runner-output.ts'
import { type TestBody, type TestRunner, type WrapTest } from '../verdicts/testing/watch/runners.ts'
import { watchQueriesIn } from '../verdicts/testing/watch/watch-queries.ts'
import { type Place, type WatchOptions } from './testing.ts'

const vitest = await import('vitest').catch((error: Error) => refuseWithoutRunner('vitest', error))
const { afterAll, beforeAll, expect } = vitest

expect.extend(matchers as never)
// Their workers are ended by a signal.
afterAll(() => printAtEnd())

/** The `watchQueries` for Vitest: call it in a file of `setupFiles`. */
export function watchQueries(on: Place, options: WatchOptions = {}): void {
  watchQueriesIn(vitestTests, on, options)
}

annotateTestsBy(async (text) => {
  const test = (await findVitestRunner()).getCurrentTest() as RunningTest | undefined
  // Of concurrent tests, it is not known which one measures.
  if (test?.result?.state === 'run' && !test.concurrent) await test.context.annotate(text, 'measured')
})

type Task = { readonly name: string; readonly suite?: Task | undefined }
type RunningTest = Pick<RunnerTestCase, 'concurrent' | 'context' | 'result'>
type RunnerClass = { readonly prototype: object }
type Runner = {
  readonly runner: RunnerClass
  readonly getTestFn: (test: never) => TestBody
  readonly getCurrentTest: () => unknown
}

const vitestTests: TestRunner = {
  watchTests: (wrap) => beforeAll(async () => watchRunner(wrap, await findVitestRunner())),
  atEnd: (print) => afterAll(print),
}

let isWatched = false

const nameTask = ({ name, suite }: Task): string => (suite === undefined ? name : `${nameTask(suite)} > ${name}`)

/** A runner calls its method `runTask`, where it has one, in place of the function of a test. */
function watchRunner(wrap: WrapTest, { runner: { prototype }, getTestFn }: Runner): void {
  if (isWatched) return
  isWatched = true
  const runTask = async (test: Task): Promise<void> => void (await wrap(nameTask(test), getTestFn(test as never))())
  Object.assign(prototype, { runTask })
}

/** Versions before 4.1 have it in modules that 5 has no more. */
async function findVitestRunner(): Promise<Runner> {
  if ('TestRunner' in vitest) {
    const { TestRunner: runner } = vitest
    return { runner, getTestFn: runner.getTestFn as never, getCurrentTest: runner.getCurrentTest }
  }
  const [{ VitestTestRunner: runner }, { getFn, getCurrentTest }] = await Promise.all([
    import('vitest/runners'),
    import('vitest/suite'),
  ])
  return { runner, getTestFn: getFn as never, getCurrentTest }
}

declare global {
  // What Chai has, each version of Vitest has: the parameters of its own Matchers differ from version to version.
  namespace Chai {
    interface Assertion extends Verification {}
  }
}

export * from './testing.ts'
export type { GivenTo }
