import { Problem } from '../../../core/errors.ts'

/** Limits of the queries of a test, and exceptions from them. */
export type WatchOptions = {
  /** How often a test may send queries of one shape. Default 5. */
  readonly repeats?: number
  /** How many documents a query may examine without an index. Default 1000. */
  readonly scans?: number
  /** Queries that have no limits. */
  readonly allow?: readonly AllowedQueries[]
  /** Whether to print the summary, and fail no test. Default false. */
  readonly report?: boolean
}

/** Queries of a shape, of a test, or with both of a shape in a test. */
export type AllowedQueries = {
  /** The name of the shape as messages have it, such as "find orders customer"; or an expression that it matches. */
  readonly shape?: string | RegExp
  /** A part of the name of the test, suites included; or an expression that it matches. */
  readonly test?: string | RegExp
}

export type WatchLimits = Required<WatchOptions>

/** @throws {Problem} "usage", with the name of the option that is wrong. */
export function validateWatchOptions(options: WatchOptions): WatchLimits {
  const limits = { repeats: 5, scans: 1000, allow: [], report: false, ...options }
  for (const name of Object.keys(options))
    if (!optionNames.has(name))
      throw new Problem('usage', `watchQueries has no option "${name}"`, {
        hint: `Its options are ${[...optionNames].join(', ')}.`,
      })
  for (const name of ['repeats', 'scans'] as const)
    if (!Number.isInteger(limits[name]) || limits[name] < 0)
      throw new Problem(
        'usage',
        `"${name}" must be a whole number of at least 0, not ${JSON.stringify(limits[name])}`,
        { hint: 'Leave it out for its default.' },
      )
  if (limits.allow.some(({ shape, test }) => shape === undefined && test === undefined))
    throw new Problem('usage', 'An entry of "allow" names neither a shape nor a test', {
      hint: "Write { shape: 'find orders customer' }, { test: 'imports all orders' }, or both in one entry.",
    })
  return limits
}

const optionNames: ReadonlySet<string> = new Set(['repeats', 'scans', 'allow', 'report'])

/** Checks whether queries of a shape have no limits in a test. */
export const isAllowed = ({ allow }: WatchLimits, name: string, testName: string): boolean =>
  allow.some(
    ({ shape, test }) =>
      (shape === undefined || (typeof shape === 'string' ? shape === name : name.search(shape) >= 0)) &&
      (test === undefined || (typeof test === 'string' ? testName.includes(test) : testName.search(test) >= 0)),
  )
