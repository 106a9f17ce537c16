import { readableNumber } from '../../../metrics/format.ts'
import { median } from '../../../metrics/statistics.ts'
import { pairedRatio, unpairedRatio } from '../../../statistics/estimate.ts'
import { type ComparisonRow, type ComparisonVerdict, computeVerdicts } from '../../../statistics/verdict.ts'
import { type MeasuredRound, type Measurement } from '../measurement.ts'
import { atSpeed, type Expectation, type Judgement, judgeTime } from './judgement.ts'

/** Measurement to compare with: another one, or one that a baseline keeps. */
export type ComparedWith = Pick<Measurement, 'name' | 'load' | 'machineSpeed' | 'series'> & {
  readonly rounds: readonly Pick<MeasuredRound, 'callsPerSecond' | 'meanMs'>[]
  /** Verdict for a baseline that was only saved now. Absent: there is something to compare with. */
  readonly saved?: Pick<Judgement, 'because' | 'advice'>
  /** Advice where the measurement is better. Absent: none. */
  readonly ifBetter?: string
}

/** Options that say which differences count. */
export type NoSlowerOptions = {
  /** Smallest difference that counts, in percent. Default 5: smaller differences do not matter. */
  readonly smallestEffectPercent?: number
}

/**
 * It is not slower than another measurement, by the verdict of their comparison: throughput of closed loops, mean latency of open ones. Rounds that
 * were measured in turn are compared round by round; others are not paired, and a machine that has changed meanwhile is part of the difference.
 *
 * Missed: the whole 95 % interval is worse than the smallest effect. A suite runs with every commit, so an interval that only leaves out "the same",
 * as one of forty does by chance, would be a false alarm once a week.
 */
export const noSlowerThan: Expectation<readonly [other: ComparedWith, options?: NoSlowerOptions]> = (
  measurement,
  other,
  { smallestEffectPercent = 5 } = {},
) =>
  judgeTime(measurement, (measured) => {
    if (other.saved !== undefined) return { verdict: 'holds', ...other.saved }
    const apart = `cannot be compared with ${other.name}`
    if (other.rounds.length === 0) return { verdict: 'not timed', because: `${apart}, which was not timed.` }
    if (JSON.stringify(other.load) !== JSON.stringify(measured.load))
      return { verdict: 'cannot tell', because: `${apart}, which was measured with another load.` }
    const judgement = compare(measured, other, smallestEffectPercent)
    const change = speedChange(measured, other)
    if (change === undefined) return judgement
    // Twice: the machine may have changed by more for this work than for the kernel, and the other measurement may be weeks old.
    const atSameSpeed = compare(atSpeed(measured, change.factor ** -2), other, smallestEffectPercent)
    return judgement.verdict === 'missed' && atSameSpeed.verdict === 'missed'
      ? {
          ...judgement,
          because: `${judgement.because} It is missed after dividing twice by the change of the machine too: ${change.text}.`,
        }
      : { verdict: 'cannot tell', because: `${apart}: ${change.text}.` }
  })

function compare(measurement: Measurement, other: ComparedWith, smallestEffectPercent: number): Judgement {
  const compared = collectRoundValues(measurement, other)
  if (compared === undefined)
    return {
      verdict: 'cannot tell',
      because: `cannot be compared with ${other.name}: there are rounds in which no call was successful.`,
    }
  const [verdict] = computeVerdicts([estimateComparedRatio(compared)], { smallestEffect: smallestEffectPercent / 100 })
  const found = `${formatComparedFigures(compared, other.name)}: ${verdict?.text ?? ''}; expected is no more than ${smallestEffectPercent} % worse.`
  if (verdict === undefined) return { verdict: 'cannot tell', because: found }
  const judged = judgeVerdict(verdict, smallestEffectPercent / 100)
  const isApart = !compared.isPaired && other.ifBetter === undefined && judged !== 'holds'
  return {
    verdict: judged,
    isPaired: compared.isPaired,
    because: isApart ? `${found} ${measuredApart}` : found,
    ...(isBetter(verdict) && other.ifBetter && { advice: other.ifBetter }),
  }
}

/** A larger change of the machine may explain a difference, as in results. */
const maxSpeedChange = 0.1

/** How the machine has changed between measurements that were not made in turn. Undefined: hardly, or it is not known. */
function speedChange({ series, machineSpeed: now }: Measurement, other: ComparedWith) {
  const { machineSpeed: before } = other
  if (series === other.series || now === null || before === null) return undefined
  const factor = now / before
  const change = factor - 1
  if (Math.abs(change) <= maxSpeedChange) return undefined
  const percent = Math.round(Math.abs(change) * 100)
  const text = `the machine was ${percent} % ${change < 0 ? 'slower' : 'faster'} than when that was measured, by a fixed kernel of work`
  return { factor, text }
}

const measuredApart =
  'They were measured one after the other, so that a change of the machine counts too: measureInTurn compares them round by round.'

const isBetter = (verdict: ComparisonVerdict): boolean => 'effect' in verdict && verdict.effect === 'better'

function judgeVerdict(verdict: ComparisonVerdict, smallestEffect: number) {
  switch (verdict.kind) {
    case 'higher':
      return verdict.effect === 'better' ? 'holds' : missedIf(verdict.interval.low > 1 + smallestEffect)
    case 'lower':
      return verdict.effect === 'better' ? 'holds' : missedIf(verdict.interval.high < 1 / (1 + smallestEffect))
    case 'same':
      return 'holds'
    case 'cannot tell':
    case 'no verdict':
      return 'cannot tell'
  }
}

const missedIf = (isCertain: boolean) => (isCertain ? 'missed' : 'cannot tell')

/** Values of each round that are compared: calls per second of closed loops, mean milliseconds of open ones. */
type Compared = {
  readonly isClosed: boolean
  readonly isPaired: boolean
  readonly before: readonly number[]
  readonly now: readonly number[]
}

/** Undefined where there is a round without a successful call. */
function collectRoundValues(measurement: Measurement, other: ComparedWith): Compared | undefined {
  const isClosed = 'workers' in measurement.load
  const valuesIn = ({ rounds }: ComparedWith): readonly number[] =>
    rounds.map(({ callsPerSecond, meanMs }) => (isClosed ? callsPerSecond : (meanMs ?? 0)))
  const [before, now] = [valuesIn(other), valuesIn(measurement)]
  if ([...before, ...now].some((value) => !(value > 0))) return undefined
  return { isClosed, isPaired: measurement.series === other.series, before, now }
}

function estimateComparedRatio({ isClosed, isPaired, before, now }: Compared): ComparisonRow {
  const estimate = isPaired ? pairedRatio(before.map((a, i) => ({ a, b: now[i] ?? a }))) : unpairedRatio(before, now)
  return { estimate, better: isClosed ? 'higher' : 'lower' }
}

function formatComparedFigures({ isClosed, before, now }: Compared, name: string): string {
  const [a, b] = [before, now].map((values) => readableNumber(median(values) ?? 0))
  return isClosed
    ? `made ${b} calls per second, and ${name} ${a}`
    : `had a mean latency of ${b} ms, and ${name} one of ${a} ms`
}
