import { Problem } from '../../core/errors.ts'

/** How much a test suite measures. */
export type Depth =
  /** Nothing: what is measured is called a few times, so that its commands are known and one that fails is found. */
  | 'off'
  /** Six rounds of a quarter of a second. */
  | 'quick'
  /** Ten rounds of a second. */
  | 'full'

/** What one measurement takes at a depth at which time is taken. Times in seconds. */
export type Rounds = {
  /** 1 to 1000; of fewer than six there is no verdict. */
  readonly rounds: number
  /** Of each round, above 0. */
  readonly seconds: number
  /** Before the rounds, at least 0. */
  readonly warmupSeconds: number
}

/** Six rounds are the fewest of which there is a verdict. */
export const roundsOf: Readonly<Record<Exclude<Depth, 'off'>, Rounds>> = {
  quick: { rounds: 6, seconds: 0.25, warmupSeconds: 0.25 },
  full: { rounds: 10, seconds: 1, warmupSeconds: 1 },
}

const depths: readonly Depth[] = ['off', 'quick', 'full']

/**
 * The depth that an option gives, else the variable MONGO_PERF. Default: quick.
 * @throws {Problem} "usage", when it is something else.
 */
export function depthFrom(option: Depth | undefined, env: Readonly<Record<string, string | undefined>>): Depth {
  const { MONGO_PERF: variable = 'quick' } = env
  const given = option ?? variable
  const depth = depths.find((one) => one === given)
  if (depth !== undefined) return depth
  const place = option === undefined ? 'The variable MONGO_PERF' : 'The option "depth"'
  throw new Problem('usage', `${place} is ${JSON.stringify(given)}, and can be ${depths.join(', ')}`, {
    hint: 'Give off to measure no time, quick for about two seconds for each measured function, full for about eleven.',
  })
}
