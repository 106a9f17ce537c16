import { Problem } from '../errors.ts'

/** How much a test suite measures. */
export type Depth =
  /** Nothing: each function is called a few times, so that its commands are known and one that throws is found. */
  | 'off'
  /** Six rounds of a quarter of a second. */
  | 'quick'
  /** Ten rounds of a second. */
  | 'full'

/** What one measurement takes at a depth at which time is taken. Times in seconds. */
export type Rounds = { readonly rounds: number; readonly seconds: number; readonly warmupSeconds: number }

/** Six rounds are the fewest of which there is a verdict. */
export const roundsOf: Readonly<Record<Exclude<Depth, 'off'>, Rounds>> = {
  quick: { rounds: 6, seconds: 0.25, warmupSeconds: 0.25 },
  full: { rounds: 10, seconds: 1, warmupSeconds: 1 },
}

const depths: readonly Depth[] = ['off', 'quick', 'full']

/**
 * The depth that the variable MONGO_PERF asks for. Default: quick.
 * @throws {Problem} "usage", when it is something else.
 */
export function depthIn(env: Readonly<Record<string, string | undefined>>): Depth {
  const { MONGO_PERF: given = 'quick' } = env
  const depth = depths.find((one) => one === given)
  if (depth !== undefined) return depth
  throw new Problem('usage', `The variable MONGO_PERF is "${given}", and can be ${depths.join(', ')}`, {
    hint: 'Set MONGO_PERF=off to measure nothing, quick for about two seconds per function, full for about eleven.',
  })
}
