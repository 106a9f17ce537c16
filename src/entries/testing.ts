import { type Db } from 'mongodb'
import { withHints } from '../core/errors.ts'
import { type ApplicationDriver } from '../load/engines/driver/load-driver.ts'
import { listFigures } from '../verdicts/testing/matchers.ts'
import { measureContext, measureWorks } from '../verdicts/testing/measure.ts'
import { type Measurement, unnamed } from '../verdicts/testing/measurement.ts'
import { annotate } from '../verdicts/testing/runner-output.ts'
import { type MeasureOptions, type Settings, validateSettings } from '../verdicts/testing/settings.ts'
import { type WatchOptions } from '../verdicts/testing/watch/options.ts'
import { findRunner } from '../verdicts/testing/watch/runners.ts'
import { watchQueriesIn } from '../verdicts/testing/watch/watch-queries.ts'
import { workOfFunction } from '../verdicts/testing/work/function-work.ts'
import { openDatabase, type OpenSubject, type Subject, wrapPlace } from '../verdicts/testing/work/subject.ts'
import { type CallLoad, getMaxConcurrentCalls, type OperationInput, type Work } from '../verdicts/testing/work/work.ts'

/**
 * A measured function: timed from its call until its return value has resolved; one that throws or rejects has failed. The resolved value is not looked at.
 * @param on The client or collection that it works with: see `Options`.
 * @param number Number of the call, from 0. It goes on from the first call to the last, so that no number comes twice.
 */
export type MeasuredFunction<On> = (on: On, number: number) => unknown

/** A function, or an operation of one call as a spec has it. */
export type Measurable<On> = MeasuredFunction<On> | OperationInput

/** How functions and operations are measured, and what they work with. */
export type Options<On> = MeasureOptions & {
  /**
   * A `MongoClient`, a `Db`, a `Collection`, a connection of mongoose, or a URI. On what is yours nothing is created or dropped. Default: a
   * server that is started for the suite. Functions get it as their first argument, and for a URI or the server a `Db`.
   */
  readonly on?: On
  /** For operations: the driver of the client in `on`, where it is not found by itself, such as in a bundle. */
  readonly driver?: ApplicationDriver
}

/**
 * Measures a function, or an operation of one call as a spec has it: calls it until its time is over, in rounds, after a warm-up. How much depends
 * on the variable MONGO_PERF: off, quick (the default, about two seconds) or full (about eleven). An operation without a `collection` works on that
 * of `on`.
 * @throws {Problem} "usage", for a wrong option or variable; "spec-invalid", for a wrong operation; "no-server", when none could be started.
 */
export function measure<On extends Subject>(
  measured: Measurable<On>,
  options: NamedOptions<On> & { readonly on: On },
): Promise<Measurement>
export function measure(measured: Measurable<Db>, options?: NamedOptions<string>): Promise<Measurement>
export async function measure(measured: Measured, options: NamedOptions<Subject | string> = {}): Promise<Measurement> {
  const { name = getMeasuredName(measured), ...rest } = options
  const measurements = await measureIn({ [name]: measured }, rest)
  return measurements[name] as Measurement
}

type NamedOptions<On> = Options<On> & {
  /** For messages. Default: that of the function or operation, else the kind of the operation. */
  readonly name?: string
}

type Measured = Measurable<never>

function getMeasuredName(measured: Measured): string {
  if (typeof measured !== 'function') return typeof measured.name === 'string' ? measured.name : measured.kind
  return measured.name === '' ? unnamed : measured.name
}

/**
 * Measures several functions and operations in turn, each once in each round, in an order drawn from the seed: whatever slows the machine for a
 * while slows all of them, and `toBeNoSlowerThan` compares them round by round.
 * @throws {Problem} as `measure`.
 */
export function measureInTurn<Name extends string, On extends Subject>(
  measured: Readonly<Record<Name, Measurable<On>>>,
  options: Options<On> & { readonly on: On },
): Promise<Record<Name, Measurement>>
export function measureInTurn<Name extends string>(
  measured: Readonly<Record<Name, Measurable<Db>>>,
  options?: Options<string>,
): Promise<Record<Name, Measurement>>
export function measureInTurn(
  measured: Readonly<Record<string, Measured>>,
  options: Options<Subject | string> = {},
): Promise<Record<string, Measurement>> {
  return measureIn(measured, options)
}

const measureIn = withHints(
  async (
    measured: Readonly<Record<string, Measured>>,
    { on, driver, ...options }: Options<Subject | string>,
  ): Promise<Record<string, Measurement>> => {
    const settings = validateSettings(options, process.env)
    await using subject: OpenSubject<Subject> = typeof on === 'object' ? wrapPlace(on) : await openDatabase(on)
    const works: Record<string, Work> = {}
    for (const [name, each] of Object.entries(measured))
      works[name] = await createWork(each, subject, { name, driver, settings })
    const measurements = await measureWorks(works, settings, measureContext(subject.client))
    for (const [name, measurement] of Object.entries(measurements)) {
      const figures = listFigures(measurement)
      if (figures.length > 0) await annotate(`${name}: ${figures.join('; ')}`)
    }
    return measurements
  },
)

async function createWork(
  measured: Measured,
  subject: OpenSubject<Subject>,
  { name, driver, settings }: { name: string; driver: ApplicationDriver | undefined; settings: Settings },
): Promise<Work> {
  if (typeof measured === 'function') {
    const call = measured as MeasuredFunction<Subject>
    return workOfFunction(name, {
      watched: (number) => call(subject.watched, number),
      timed: (number) => call(subject.timed, number),
    })
  }
  // Validating an operation needs the language of specs, which functions do without.
  const { workOfOperation } = await import('../verdicts/testing/work/operation-work.ts')
  const { seed, load } = settings
  return await workOfOperation(measured, subject, { name, driver, seed, workers: getMaxConcurrentCalls(load) })
}

/**
 * Makes each test fail that sends queries of one shape too often, or a query that examines too many documents without an index: call it once, in a
 * file that is loaded before the tests. For `node:test` and Mocha; Vitest and Jest have their own in `mongo-perf/vitest` and `mongo-perf/jest`.
 * @param on The client of the application: a `MongoClient`, a `Db`, a `Collection` or a connection of mongoose that is connected.
 * @throws {Problem} "usage", for a wrong option, or where `on` has no client.
 */
export function watchQueries(on: Subject, options: WatchOptions = {}): void {
  watchQueriesIn(findRunner(), on, options)
}

export { Problem } from '../core/errors.ts'
export { refuseWithoutRunner } from '../verdicts/testing/absent-runner.ts'
export { baseline, type BaselineOptions } from '../verdicts/testing/baseline.ts'
export { searchModules } from '../load/engines/driver/loaded-modules.ts'
export { matchers, type Verification, verify } from '../verdicts/testing/matchers.ts'
export { testServer, type TestServer } from '../verdicts/testing/test-server.ts'
export { jestTests } from '../verdicts/testing/watch/runners.ts'
export { watchQueriesIn } from '../verdicts/testing/watch/watch-queries.ts'
export type { AllowedQueries } from '../verdicts/testing/watch/options.ts'
export type { WatchOptions }
export type { ApplicationDriver, CallLoad, Measurement, MeasureOptions, OperationInput, Subject as Place }
export type { MeasuredRound } from '../verdicts/testing/measurement.ts'
