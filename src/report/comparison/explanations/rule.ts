import { addressOf } from '../../../metrics/address.ts'
import { readableNumber } from '../../../metrics/format.ts'
import { scopesOf } from '../../../metrics/rows.ts'
import { type Scope, shapeOf } from '../../../metrics/scope.ts'
import { isNumber, median, rangeOf } from '../../../metrics/statistics.ts'
import { type RowPair } from '../match-rows.ts'

/** What may explain a difference of a row: short texts, none where it is alike on both sides. */
export type ExplanationRule = (pair: RowPair) => readonly string[]

/** A figure that is not compared for itself, and from where on it differs clearly. */
export type ExplainingFigure = {
  readonly title: string
  /** The larger of both medians has at least this factor of the smaller one. */
  readonly factor: number
  /** Below that, both medians are near 0. */
  readonly notable: number
}

/** The names of the phases of a row. */
export const phasesOf = ({ a, b }: RowPair): readonly string[] =>
  shapeOf({ variants: [...a.runs, ...b.runs] }).phases.map(({ name }) => name)

/** A rule for a figure of a phase. */
export const figureRule =
  (figure: ExplainingFigure, valueOf: (scope: Scope) => number | null): ExplanationRule =>
  (pair) =>
    phasesOf(pair).flatMap((phase) => {
      const place = { kind: 'phase', phase } as const
      const valuesIn = (side: 'a' | 'b'): readonly number[] =>
        scopesOf(pair[side], addressOf('opsPerSecond', place)).map(valueOf).filter(isNumber)
      return changeText(figure, valuesIn('a'), valuesIn('b')).map((text) => `${phase}: ${text}`)
    })

/**
 * The change of a figure as text: "pages read per operation 0.1 → 2.5". Nothing if it does not differ clearly: by its factor, above what is near
 * 0, and with all runs of one side above all of the other.
 */
export function changeText(figure: ExplainingFigure, a: readonly number[], b: readonly number[]): readonly string[] {
  const [medianA, medianB] = [median(a), median(b)]
  if (medianA === null || medianB === null) return []
  const [lower, higher] = medianA < medianB ? [a, b] : [b, a]
  const isApart = rangeOf(higher).min > rangeOf(lower).max
  const [less, more] = [Math.min(medianA, medianB), Math.max(medianA, medianB)]
  if (!isApart || more < figure.notable || more < less * figure.factor) return []
  return [`${figure.title} ${readableNumber(medianA)} → ${readableNumber(medianB)}`]
}
