import { type Db } from 'mongodb'
import { type CallLoad } from './function-load.ts'
import { measureContext, measureFunctions, type MeasureOptions } from './measure.ts'
import { type Measurement } from './measurement.ts'
import { openDatabase, type OpenPlace, type Place, placeOf } from './place.ts'

/**
 * What is measured: from its call until what it returns has resolved; one that throws or rejects has failed. What it resolves to is not looked at.
 * @param on What it works with: see `On`.
 * @param number Of the call, from 0.
 */
export type MeasuredFunction<On> = (on: On, number: number) => unknown

/** How functions are measured, and what they work with. */
export type Options<On> = MeasureOptions & {
  /**
   * A `MongoClient`, a `Db`, a `Collection`, a connection of mongoose, or a URI. On what is yours nothing is created or dropped. Default: a
   * server that is started for the suite. Functions get it as their first argument, and for a URI or the server a `Db`.
   */
  readonly on?: On
}

/**
 * Measures a function: calls it until its time is over, in rounds, after a warm-up. How much depends on the variable MONGO_PERF: off, quick (the
 * default, about two seconds) or full (about eleven).
 * @throws {Problem} "usage", when the variable or `on` is something else; "no-server", when none could be started.
 */
export function measure<On extends Place>(
  timed: MeasuredFunction<On>,
  options: NamedOptions<On> & { readonly on: On },
): Promise<Measurement>
export function measure(timed: MeasuredFunction<Db>, options?: NamedOptions<string>): Promise<Measurement>
export async function measure(
  timed: MeasuredFunction<never>,
  options: NamedOptions<Place | string> = {},
): Promise<Measurement> {
  const { name = timed.name === '' ? 'the function' : timed.name, ...rest } = options
  const measured = await measureIn({ [name]: timed }, rest)
  return measured[name] as Measurement
}

type NamedOptions<On> = Options<On> & {
  /** For messages. Default: that of the function. */
  readonly name?: string
}

/**
 * Measures several functions in turn, each once in each round, in an order drawn from the seed: whatever slows the machine for a while slows all of
 * them, and `toBeNoSlowerThan` compares them round by round.
 * @throws {Problem} as `measure`.
 */
export function measureInTurn<Name extends string, On extends Place>(
  functions: Readonly<Record<Name, MeasuredFunction<On>>>,
  options: Options<On> & { readonly on: On },
): Promise<Record<Name, Measurement>>
export function measureInTurn<Name extends string>(
  functions: Readonly<Record<Name, MeasuredFunction<Db>>>,
  options?: Options<string>,
): Promise<Record<Name, Measurement>>
export function measureInTurn(
  functions: Readonly<Record<string, MeasuredFunction<never>>>,
  options: Options<Place | string> = {},
): Promise<Record<string, Measurement>> {
  return measureIn(functions, options)
}

async function measureIn(
  functions: Readonly<Record<string, MeasuredFunction<never>>>,
  { on, ...options }: Options<Place | string>,
): Promise<Record<string, Measurement>> {
  await using place: OpenPlace<unknown> = typeof on === 'object' ? placeOf(on) : await openDatabase(on)
  const bound = Object.entries(functions).map(([name, timed]) => {
    const call = timed as MeasuredFunction<unknown>
    const calls = {
      watched: (number: number) => call(place.watched, number),
      timed: (number: number) => call(place.timed, number),
    }
    return [name, calls] as const
  })
  return await measureFunctions(Object.fromEntries(bound), options, measureContext(place.client))
}

export { Problem } from '../errors.ts'
export { baseline, type BaselineOptions } from './baseline.ts'
export { type Verification, verify } from './matchers.ts'
export { testServer, type TestServer } from './test-server.ts'
export type { CallLoad, Measurement, MeasureOptions, Place }
export type { MeasuredRound } from './measurement.ts'
