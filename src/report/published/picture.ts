import { type Line, type Picture, type Point } from '../charts/picture.ts'
import { scaleFor } from '../charts/scales.ts'
import { cellText } from '../../metrics/format.ts'
import { parameterCell } from '../../metrics/parameters.ts'
import { rangeOfRuns, rangesRemark } from '../../metrics/run-range.ts'
import { type ComparedRow, type Comparison, type Figure } from './compare.ts'
import { type RowName } from './row-names.ts'
import { comparisonTitle } from './table.ts'

const axisTitle = 'Ratio to the base row'

/** A chart with the measured and the published ratios side by side. */
export function comparisonPicture({ rows, base }: Comparison, names: readonly RowName[]): Picture {
  const shown = rows.filter(({ measuredRatio, publishedRatio }) => measuredRatio !== null && publishedRatio !== null)
  const lines = [
    barsOf('measured', shown, ({ measuredRatio, measured, interval }) => ({
      y: measuredRatio,
      range: interval === null ? errorBar(measured, base?.measured ?? null) : [interval.low, interval.high],
    })),
    barsOf('published', shown, ({ publishedRatio }) => ({ y: publishedRatio, range: null })),
  ]
  const values = lines.flatMap(({ points }) => points.flatMap(({ y }) => y ?? []))
  return {
    kind: 'bar',
    title: comparisonTitle,
    x: {
      kind: 'category',
      title: names.map(({ title }) => title).join(', '),
      labels: shown.map((compared) => labelOf(compared, names)),
    },
    y: [{ title: axisTitle, unit: '', scale: scaleFor(values) }],
    lines,
    errorBars: rangesRemark(shown.map(({ measured }) => rangeOfRuns(measured?.runs ?? []))),
  }
}

function barsOf(
  label: string,
  rows: readonly ComparedRow[],
  pointOf: (row: ComparedRow) => Pick<Point, 'y' | 'range'>,
): Line {
  const points = rows.map((row, x) => ({ x, ...pointOf(row) }))
  return { label, colourKey: label, keyOf: 'measure', axis: 0, dots: true, points }
}

/** The range of the runs, divided by the figure of the base row. */
function errorBar(measured: Figure | null, base: Figure | null): Point['range'] {
  const range = rangeOfRuns(measured?.runs ?? [])
  if (range === null || base === null || base.value === 0) return null
  return [range.low / base.value, range.high / base.value]
}

const labelOf = ({ row }: ComparedRow, names: readonly RowName[]): string =>
  names
    .map(({ parameter }) => cellText(parameterCell(row.variant, parameter), null))
    .filter((text) => text !== '')
    .join(', ')
