import { readableNumber } from '../../../metrics/format.ts'
import { median } from '../../../metrics/statistics.ts'
import { pairedRatio, unpairedRatio } from '../../../statistics/estimate.ts'
import { type ComparisonRow, type ComparisonVerdict, computeVerdicts } from '../../../statistics/verdict.ts'
import { type MeasuredRound, type Measurement } from '../measurement.ts'
import { atSpeed, type Judgement } from './judgement.ts'

/** Measurement to compare with: another one, or one that a baseline keeps. */
export type ComparedWith = Pick<Measurement, 'name' | 'load' | 'machineSpeed' | 'series' | 'work'> & {
  readonly rounds: readonly (Pick<MeasuredRound, 'callsPerSecond' | 'meanMs'> & Partial<Pick<MeasuredRound, 'cpuUs'>>)[]
  /** Verdict on time for a baseline that was only saved now. Absent: there is something to compare with. */
  readonly saved?: Pick<Judgement, 'because' | 'advice'>
  /** Verdict on work for a baseline that was only saved now. Absent: there is something to compare with. */
  readonly savedWork?: Pick<Judgement, 'because' | 'advice'>
  /** Advice where the measurement is better. Absent: none. */
  readonly ifBetter?: string
}

/** A quantity of rounds that is compared, and the words for it. */
export type RoundQuantity = {
  readonly better: 'higher' | 'lower'
  /** Null: not measured in that round. */
  readonly valueOf: (round: ComparedWith['rounds'][number]) => number | null
  /** Names the values of the measurement and of the other one: "made 700 calls per second, and before 1000". */
  readonly text: (now: string, before: string, name: string) => string
  /** Why there is no ratio of a round. */
  readonly missing: string
}

/**
 * Compares a quantity of all rounds. Rounds that were measured in turn are compared round by round; others are not paired, and what a changed
 * machine may explain is not missed. A difference that is there although the machine became faster is one.
 * @param percent What may be worse.
 */
export function compareRounds(
  measurement: Measurement,
  other: ComparedWith,
  quantity: RoundQuantity,
  percent: number,
): Judgement {
  const apart = `cannot be compared with ${other.name}`
  if (other.rounds.length === 0) return { verdict: 'not timed', because: `${apart}, which was not timed.` }
  if (JSON.stringify(other.load) !== JSON.stringify(measurement.load))
    return { verdict: 'cannot tell', because: `${apart}, which was measured with another load.` }
  const judgement = compareValues(measurement, other, quantity, percent)
  const change = speedChange(measurement, other)
  if (change === undefined) return judgement
  // Twice: the machine may have changed by more for this work than for the kernel, and the other measurement may be weeks old.
  const atSameSpeed = compareValues(atSpeed(measurement, change.factor ** -2), other, quantity, percent)
  if (judgement.verdict !== 'missed' || atSameSpeed.verdict !== 'missed')
    return { verdict: 'cannot tell', because: `${apart}: ${change.text}.` }
  const why =
    change.factor > 1
      ? 'The machine explains none of it'
      : 'It is missed after dividing twice by the change of the machine too'
  return { ...judgement, because: `${judgement.because} ${why}: ${change.text}.` }
}

function compareValues(
  measurement: Measurement,
  other: ComparedWith,
  { better, valueOf, text, missing }: RoundQuantity,
  percent: number,
): Judgement {
  const [before, now] = [other, measurement].map(({ rounds }) => rounds.map((round) => valueOf(round) ?? 0))
  const isPaired = measurement.series === other.series
  const values = [...(before ?? []), ...(now ?? [])]
  if (before === undefined || now === undefined || values.some((value) => !(value > 0)))
    return { verdict: 'cannot tell', because: `cannot be compared with ${other.name}: ${missing}.` }
  const estimate = isPaired ? pairedRatio(before.map((a, i) => ({ a, b: now[i] ?? a }))) : unpairedRatio(before, now)
  const row: ComparisonRow = { estimate, better }
  const [verdict] = computeVerdicts([row], { smallestEffect: percent / 100 })
  const [a, b] = [before, now].map((rounds) => readableNumber(median(rounds) ?? 0))
  const found = `${text(b ?? '', a ?? '', other.name)}: ${(verdict?.text ?? '').replace(/^cannot tell: /, '')}; expected is no more than ${percent} % worse.`
  if (verdict === undefined) return { verdict: 'cannot tell', because: found }
  const judged = judgeVerdict(verdict, percent / 100)
  const isApart = !isPaired && other.ifBetter === undefined && judged !== 'holds'
  return {
    verdict: judged,
    isPaired,
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
