import { type Line, type Picture, type Point } from '../charts/picture.ts'
import { scaleFor } from '../charts/scales.ts'
import { cellText } from '../format.ts'
import { parameterCell } from '../parameters.ts'
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
      range: interval === null ? rangeOf(measured, base?.measured ?? null) : [interval.low, interval.high],
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

/** The range of the repeats, each divided by the figure of the base row. */
function rangeOf(measured: Figure | null, base: Figure | null): Point['range'] {
  if (measured === null || base === null || base.value === 0 || measured.runs.length < 2) return null
  return [Math.min(...measured.runs) / base.value, Math.max(...measured.runs) / base.value]
}

const labelOf = ({ row }: ComparedRow, names: readonly RowName[]): string =>
  names
    .map(({ parameter }) => cellText(parameterCell(row.variant, parameter), null))
    .filter((text) => text !== '')
    .join(', ')
