import { tableOfCells } from '../../src/report/markdown/table.ts'
import { median } from '../benchmark.ts'
import { type Planted } from './planted-case.ts'
import { isFalse, isFound, type JudgedCase, type VerdictName, verdictNames } from './verdicts.ts'

/** Outcome of comparisons with the same planted difference. */
export type Rates = {
  readonly planted: Planted
  readonly comparisons: number
  readonly falseVerdicts: number
  readonly found: number
  readonly figures: readonly {
    readonly title: string
    readonly verdicts: Readonly<Record<VerdictName, number>>
    /** Median of B / A. */
    readonly medianRatio: number
  }[]
}

/** The rates by planted difference, the smallest first. */
export function computeRates(cases: readonly JudgedCase[]): readonly Rates[] {
  const sizes = [...new Set(cases.map(({ planted }) => planted))].toSorted((one, other) => one - other)
  return sizes.map((planted) => {
    const those = cases.filter((one) => one.planted === planted)
    return {
      planted,
      comparisons: those.length,
      falseVerdicts: those.filter(isFalse).length,
      found: those.filter(isFound).length,
      figures: countFigures(those),
    }
  })
}

function countFigures(cases: readonly JudgedCase[]): Rates['figures'] {
  const all = cases.flatMap(({ figures }) => figures)
  return [...new Set(all.map(({ title }) => title))].map((title) => {
    const those = all.filter((figure) => figure.title === title)
    const count = (verdict: VerdictName): number => those.filter((figure) => figure.verdict === verdict).length
    return {
      title,
      verdicts: Object.fromEntries(verdictNames.map((name) => [name, count(name)])) as Record<VerdictName, number>,
      medianRatio: median(those.flatMap(({ ratio }) => ratio ?? [])),
    }
  })
}

/** Two tables: what was found, and the verdicts on each figure. */
export function ratesText(rates: readonly Rates[]): string {
  const outcome = tableOfCells([
    ['Planted', 'Comparisons', 'With a false verdict', 'Found'],
    ...rates.map(({ planted, comparisons, falseVerdicts, found }) => [
      percent(planted),
      String(comparisons),
      String(falseVerdicts),
      planted === 0 ? '' : String(found),
    ]),
  ])
  const figures = tableOfCells([
    ['Planted', 'Figure', ...verdictNames, 'B / A (median)'],
    ...rates.flatMap(({ planted, figures: those }) =>
      those.map(({ title, verdicts, medianRatio }) => [
        percent(planted),
        title,
        ...verdictNames.map((name) => String(verdicts[name])),
        medianRatio.toFixed(3),
      ]),
    ),
  ])
  return `${outcome}\n\n${figures}\n\nFalse: at 0 %, a difference in any figure; above, a throughput of B that is better or the same. Found: a throughput of B that is worse.`
}

const percent = (share: number): string => `${Math.round(100 * share)} %`
