import { type ComparedFigure, isBetter, isSame, isWorse } from '../../src/report/comparison/comparison.ts'
import { type Planted } from './planted-case.ts'

/** Verdicts in the words of their readers. */
export const verdictNames = ['worse', 'better', 'the same', 'cannot tell'] as const
/** A verdict on B. */
export type VerdictName = (typeof verdictNames)[number]

/** One figure of a comparison. */
export type JudgedFigure = {
  readonly title: string
  readonly verdict: VerdictName
  readonly ratio: number | null
  readonly interval: ComparedFigure['interval']
}

/** A comparison that is done. */
export type JudgedCase = {
  readonly name: string
  readonly planted: Planted
  readonly seconds: number
  readonly figures: readonly JudgedFigure[]
}

export function judgedFigure(figure: ComparedFigure): JudgedFigure {
  const { title, ratio, interval } = figure
  return { title, verdict: judgeFigure(figure), ratio, interval }
}

function judgeFigure(figure: ComparedFigure): VerdictName {
  if (isWorse(figure)) return 'worse'
  if (isBetter(figure)) return 'better'
  return isSame(figure) ? 'the same' : 'cannot tell'
}

/** The measure that a difference is planted in: all others follow it more or less. */
const isThroughput = ({ title }: JudgedFigure): boolean => title.endsWith('Throughput (ops/s)')

const isDifference = ({ verdict }: JudgedFigure): boolean => verdict === 'worse' || verdict === 'better'

/** Whether a comparison claims what is not so: any difference where there is none, or a throughput of B that is better or the same where it is lower. */
export const isFalse = ({ planted, figures }: JudgedCase): boolean =>
  planted === 0
    ? figures.some(isDifference)
    : figures.some((figure) => isThroughput(figure) && ['better', 'the same'].includes(figure.verdict))

/** Whether a comparison finds that the throughput of B is lower. */
export const isFound = ({ planted, figures }: JudgedCase): boolean =>
  planted > 0 && figures.some((figure) => isThroughput(figure) && figure.verdict === 'worse')
