import { AsyncResource } from 'node:async_hooks'
import { Problem } from '../../../core/errors.ts'

/** The function of a test, as its runner calls it. */
export type TestBody = (this: unknown, ...args: unknown[]) => unknown

/** Replaces the function of a test. @param name Of the test, with those of its suites. */
export type WrapTest = (name: string, body: TestBody) => TestBody

export type TestRunner = {
  /** Has the tests of this file run with their wrapped functions. Hooks stay as they are. */
  readonly watchTests: (wrap: WrapTest) => void
  /** Calls a function after the last test of this file. */
  readonly atEnd: (print: () => void) => void
}

type Hook = (hook: (this: unknown) => void) => void
type Globals = Readonly<Record<PropertyKey, unknown>>

/** The runner that this process is: Mocha has its functions as globals, node:test has them in a module. */
export function findRunner(globals: Globals = globalThis as unknown as Globals): TestRunner {
  const { VITEST, JEST_WORKER_ID } = process.env
  const entry = VITEST === undefined ? (JEST_WORKER_ID === undefined ? undefined : 'jest') : 'vitest'
  if (entry !== undefined)
    throw new Problem('usage', 'watchQueries of mongo-perf/testing is for node:test and Mocha', {
      hint: `Import it from 'mongo-perf/${entry}'.`,
    })
  return typeof globals['beforeEach'] === 'function' ? mochaTests(globals) : nodeTests
}

const mochaTests = ({ beforeEach, after }: Globals): TestRunner => ({
  watchTests: (wrap) =>
    (beforeEach as Hook)(function () {
      const { currentTest } = this as { readonly currentTest: { fn?: TestBody; readonly fullTitle: () => string } }
      if (currentTest.fn !== undefined) currentTest.fn = wrap(currentTest.fullTitle(), currentTest.fn)
    }),
  atEnd: (print) => (after as Hook)(print),
})

/** The tests that are about to run, by the context that their functions get. */
const nodeContexts = new WeakMap<object, WrapTest>()
let isNodeWatched = false

/** A test of node:test runs its function in the scope of the resource that it is, which is the only way to it. */
const nodeTests: TestRunner = {
  watchTests(wrap) {
    if (isNodeWatched) return
    isNodeWatched = true
    const { beforeEach } = process.getBuiltinModule('node:test')
    beforeEach((context) => void nodeContexts.set(context, wrap))
    const { runInAsyncScope } = AsyncResource.prototype
    AsyncResource.prototype.runInAsyncScope = function (this: NodeTest, run, context, ...args) {
      const isTest = this.fn === run && this.hookType === undefined && typeof context === 'object' && context !== null
      const wrapOne = isTest ? nodeContexts.get(context) : undefined
      const body = wrapOne === undefined ? run : wrapOne(nameNodeTest(context as NodeContext), run as TestBody)
      return Reflect.apply(runInAsyncScope, this, [body, context, ...args]) as ReturnType<typeof run>
    }
  },
  atEnd: (print) => void process.once('exit', print),
}

/** Versions before 22.3 have no full name. */
type NodeContext = { readonly name: string; readonly fullName?: string }
const nameNodeTest = ({ name, fullName = name }: NodeContext): string => fullName

type NodeTest = AsyncResource & { readonly fn?: unknown; readonly hookType?: unknown }

/** @param globals Those of the tests: Jest gives each file its own. */
export function jestTests(globals: Globals): TestRunner {
  const symbol = Object.getOwnPropertySymbols(globals).find(({ description }) => description === 'JEST_STATE_SYMBOL')
  const state = symbol === undefined ? undefined : (globals[symbol] as JestState)
  const { beforeEach, afterAll } = globals
  if (state === undefined || typeof beforeEach !== 'function' || typeof afterAll !== 'function')
    throw new Problem('usage', 'watchQueries found no tests of Jest', {
      hint: "Call it in a file of `setupFilesAfterEnv`, with Jest's own runner (jest-circus) and without injectGlobals: false.",
    })
  return {
    watchTests: (wrap) =>
      (beforeEach as Hook)(() => {
        const test = state.currentlyRunningTest
        if (test?.fn) test.fn = wrap(listNames(test).join(' '), test.fn)
      }),
    atEnd: (print) => (afterAll as Hook)(print),
  }
}

type JestBlock = { readonly name: string; readonly parent?: JestBlock }
type JestState = { readonly currentlyRunningTest?: (JestBlock & { fn?: TestBody }) | null }

/** The names of a test and its suites, without the root of the file. */
const listNames = ({ name, parent }: JestBlock): readonly string[] =>
  parent === undefined ? [] : [...listNames(parent), name]
