import { Problem } from '../../core/errors.ts'
import { type CallLoad } from './work/work.ts'

/** How functions and operations are measured. */
export type MeasureOptions = Partial<Rounds> & {
  /** Default: one worker. */
  readonly load?: CallLoad
  /** How much is measured. Default: that of the variable MONGO_PERF, else "quick". */
  readonly depth?: Depth
  /** Whether an expectation about which nothing can be said counts as missed. Default: whether the variable MONGO_PERF_STRICT is 1. */
  readonly strict?: boolean
  /** Seed of the order in each round, and of the values that operations draw. Default 1. */
  readonly seed?: number
}

/** How much is timed, or why nothing is. */
type Timing = Rounds | { readonly notTimed: string }

/** Validated options, with the defaults of those that were not given. */
export type Settings = Required<Pick<MeasureOptions, 'load' | 'strict' | 'seed'>> & { readonly timing: Timing }

/**
 * Validates the options of a measurement.
 * @throws {Problem} "usage", with the name of the option or variable that is wrong.
 */
export function validateSettings(
  { load = { workers: 1 }, depth: given, strict, seed = 1, ...length }: MeasureOptions,
  env: Readonly<Record<string, string | undefined>>,
): Settings {
  validateKind(load)
  validateRanges({ ...length, seed })
  validateRanges(load, 'load.')
  return { load, strict: strict ?? strictIn(env), seed, timing: resolveTiming(depthFrom(given, env), given, length) }
}

function strictIn({ MONGO_PERF_STRICT: given = '0' }: Readonly<Record<string, string | undefined>>): boolean {
  if (['0', '1'].includes(given)) return given === '1'
  throw new Problem('usage', `The variable MONGO_PERF_STRICT is "${given}", and must be 0 or 1`, {
    hint: 'Set MONGO_PERF_STRICT=1 to fail tests about which nothing can be said, or leave it out.',
  })
}

function resolveTiming(depth: Depth, given: Depth | undefined, length: Partial<Rounds>): Timing {
  if (depth === 'off') return { notTimed: given === undefined ? 'MONGO_PERF is "off"' : 'its depth is "off"' }
  const defaults = roundsByDepth[depth]
  const { rounds = defaults.rounds, seconds = defaults.seconds, warmupSeconds = defaults.warmupSeconds } = length
  return { rounds, seconds, warmupSeconds }
}

function validateKind(load: CallLoad): void {
  if ('workers' in load !== 'ratePerSecond' in load) return
  throw new Problem('usage', '"load" has either "workers" or "ratePerSecond"', {
    hint: 'Use { workers: 4 }, where each worker waits for its reply, or { ratePerSecond: 200 }.',
  })
}

type Range = { readonly text: string; readonly holds: (value: number) => boolean }

const whole = (from: number, to: number): Range => ({
  text: `a whole number from ${from} to ${to}`,
  holds: (value) => Number.isInteger(value) && value >= from && value <= to,
})

const aboveZero: Range = { text: 'a number above 0', holds: (value) => value > 0 && value < Infinity }

const ranges: ReadonlyMap<string, Range> = new Map([
  ['rounds', whole(1, 1000)],
  ['seconds', aboveZero],
  ['warmupSeconds', { text: 'a number of at least 0', holds: (value) => value >= 0 && value < Infinity }],
  ['seed', whole(0, Number.MAX_SAFE_INTEGER)],
  ['load.workers', whole(1, 10_000)],
  ['load.ratePerSecond', aboveZero],
  ['load.maxInFlight', whole(1, 10_000)],
])

function validateRanges(options: object, prefix = ''): void {
  for (const [name, value] of Object.entries(options)) {
    const range = ranges.get(`${prefix}${name}`)
    if (range === undefined) throw unknownOption(`${prefix}${name}`)
    if (value !== undefined && !(typeof value === 'number' && range.holds(value)))
      throw new Problem('usage', `"${prefix}${name}" must be ${range.text}, not ${JSON.stringify(value)}`, {
        hint: 'Leave it out for its default.',
      })
  }
}

const unknownOption = (name: string): Problem =>
  new Problem('usage', `There is no option "${name}"`, {
    hint: `Numbers are given as ${[...ranges.keys()].join(', ')}.`,
  })

/** How much a test suite measures. */
type Depth =
  /** Nothing: what is measured is called a few times, so that its commands are known and one that fails is found. */
  | 'off'
  /** Six rounds of a quarter of a second. */
  | 'quick'
  /** Ten rounds of a second. */
  | 'full'

/** Rounds of one measurement at a depth at which time is taken. Times in seconds. */
export type Rounds = {
  /** 1 to 1000; of fewer than six there is no verdict. */
  readonly rounds: number
  /** Length of each round, above 0. */
  readonly seconds: number
  /** Before the rounds, at least 0. */
  readonly warmupSeconds: number
}

/** A verdict needs at least six rounds. */
const roundsByDepth: Readonly<Record<Exclude<Depth, 'off'>, Rounds>> = {
  quick: { rounds: 6, seconds: 0.25, warmupSeconds: 0.25 },
  full: { rounds: 10, seconds: 1, warmupSeconds: 1 },
}

const depths: readonly Depth[] = ['off', 'quick', 'full']

/**
 * The depth that an option gives, else the variable MONGO_PERF. Default: quick.
 * @throws {Problem} "usage", when it is something else.
 */
function depthFrom(option: Depth | undefined, env: Readonly<Record<string, string | undefined>>): Depth {
  const { MONGO_PERF: variable = 'quick' } = env
  const given = option ?? variable
  const depth = depths.find((one) => one === given)
  if (depth !== undefined) return depth
  const place = option === undefined ? 'The variable MONGO_PERF' : 'The option "depth"'
  throw new Problem('usage', `${place} is ${JSON.stringify(given)}; it must be one of ${depths.join(', ')}`, {
    hint: 'Give off to measure no time, quick for about two seconds for each measured function, full for about eleven.',
  })
}

/**
 * How long the measurements of a process may take together. It is soft: one that has begun is not cut short, and one that begins when it is spent
 * is not timed.
 */
export class TimeBudget {
  readonly #seconds: number
  readonly #print: (text: string) => void
  #spentMs = 0
  #isPrinted = false

  /** @param print Called the first time that something is not timed. */
  constructor(seconds: number, print: (text: string) => void) {
    this.#seconds = seconds
    this.#print = print
  }

  /** The timing of a measurement that begins now. */
  allow({ timing }: Settings, name: string): Timing {
    if ('notTimed' in timing || this.#spentMs < this.#seconds * 1000) return timing
    const notTimed = `the budget of ${this.#seconds} s is spent (MONGO_PERF_BUDGET)`
    if (!this.#isPrinted)
      this.#print(
        `${name}, and what is measured after it in this process, is not timed: ${notTimed}. Expectations of time pass.`,
      )
    this.#isPrinted = true
    return { notTimed }
  }

  spend(ms: number): void {
    this.#spentMs += ms
  }
}

/**
 * The seconds in the variable MONGO_PERF_BUDGET. Default: no limit.
 * @throws {Problem} "usage", when it is not a number above 0.
 */
export function budgetIn({ MONGO_PERF_BUDGET: given }: Readonly<Record<string, string | undefined>>): number {
  if (given === undefined) return Infinity
  const seconds = Number(given)
  if (given.trim() !== '' && seconds > 0) return seconds
  throw new Problem('usage', `The variable MONGO_PERF_BUDGET is "${given}", and must be a number of seconds above 0`, {
    hint: 'Set MONGO_PERF_BUDGET=60, or leave it out; MONGO_PERF=off measures no time at all.',
  })
}
