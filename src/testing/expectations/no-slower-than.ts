import { pairedRatio, unpairedRatio } from '../../compare/estimate.ts'
import { type Row, type Verdict, verdictsOf } from '../../compare/verdict.ts'
import { type MeasuredRound, type Measurement } from '../measurement.ts'
import { type Expectation, judgeTime } from './judgement.ts'

/** What a measurement is compared with: another one, or one that a baseline keeps. */
export type ComparedWith = Pick<Measurement, 'name' | 'load' | 'series'> & {
  readonly rounds: readonly Pick<MeasuredRound, 'callsPerSecond' | 'meanMs'>[]
  /** Why the two cannot be compared. Absent: they can. */
  readonly difference?: string
  /** What to do where the measurement is better. Absent: nothing. */
  readonly ifBetter?: string
}

/** Which differences count. */
export type NoSlowerOptions = {
  /** In percent. Default 5: smaller differences do not matter. */
  readonly smallestEffectPercent?: number
}

/**
 * It is not slower than another measurement, by the verdict of their comparison: throughput of closed loops, mean latency of open ones. Rounds that
 * were measured in turn are compared round by round; others are not paired, and a machine that has changed meanwhile is part of the difference.
 */
export const noSlowerThan: Expectation<readonly [other: ComparedWith, options?: NoSlowerOptions]> = (
  measurement,
  other,
  { smallestEffectPercent = 5 } = {},
) =>
  judgeTime(measurement, () => {
    if (other === measurement) return { verdict: 'holds', because: 'was saved as the baseline.' }
    if (other.difference !== undefined)
      return { verdict: 'cannot tell', because: `cannot be compared: ${other.difference}.` }
    const row = rowOf(measurement, other)
    if (row === undefined)
      return {
        verdict: 'cannot tell',
        because: `cannot be compared with ${other.name}: there were no successful calls.`,
      }
    const [verdict] = verdictsOf([row], { smallestEffect: smallestEffectPercent / 100 })
    const what = row.better === 'higher' ? 'throughput' : 'mean latency'
    const because = `compared with ${other.name}, ${what}: ${verdict?.text ?? ''}.`
    if (verdict === undefined) return { verdict: 'cannot tell', because }
    return {
      verdict: judgementOf(verdict),
      because,
      ...(isBetter(verdict) && other.ifBetter && { advice: other.ifBetter }),
    }
  })

const isBetter = (verdict: Verdict): boolean => 'effect' in verdict && verdict.effect === 'better'

function judgementOf(verdict: Verdict) {
  switch (verdict.kind) {
    case 'higher':
    case 'lower':
      return verdict.effect === 'worse' ? 'missed' : 'holds'
    case 'same':
      return 'holds'
    case 'cannot tell':
    case 'no verdict':
      return 'cannot tell'
  }
}

function rowOf(measurement: Measurement, other: ComparedWith): Row | undefined {
  const isClosed = 'workers' in measurement.load
  const valuesOf = ({ rounds }: ComparedWith): readonly number[] =>
    rounds.map(({ callsPerSecond, meanMs }) => (isClosed ? callsPerSecond : (meanMs ?? 0)))
  const [a, b] = [valuesOf(other), valuesOf(measurement)]
  if ([...a, ...b].some((value) => !(value > 0))) return undefined
  const isPaired = measurement.series === other.series
  return {
    estimate: isPaired ? pairedRatio(a.map((value, i) => ({ a: value, b: b[i] ?? value }))) : unpairedRatio(a, b),
    better: isClosed ? 'higher' : 'lower',
  }
}
