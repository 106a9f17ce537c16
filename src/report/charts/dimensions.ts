import { type Evaluation } from '../../metrics/evaluate.ts'
import { type ChartSpec, type Dimension, type RowPart, type FullReportSpec } from '../../metrics/report-schema.ts'
import {
  identifyChoice,
  labelName,
  parameterCell,
  parameterTitle,
  requireParameter,
  variedNames,
  varyingParameters,
} from '../../metrics/rows/parameters.ts'
import { type Cell, type Row, rowPartCell, rowPartTitles } from '../../metrics/rows/rows.ts'
import { chartRows } from '../../metrics/shown-metrics.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { type Result } from '../../results/schema.ts'
import { toLabel, labelOn, titledLabel } from './labels.ts'

type ChartDimensions = { readonly x: Dimension | null; readonly series: readonly Dimension[] }

/** Finds the rows that a chart draws, which match its `where`, and the dimensions that tell their lines apart. */
export function readChart(
  { result, rows: listRows, holds }: Evaluation,
  chart: ChartSpec,
  {
    x = null,
    kind = chartRows(chart),
  }: { readonly x?: Dimension | null; readonly kind?: ReturnType<typeof chartRows> } = {},
) {
  const rows = listRows(kind).filter((row) => holds(chart.where, row))
  return { kind, rows, series: chooseDimensions(result, rows, { x, series: chart.series ?? [] }) }
}

/** The requested dimensions, and the additional ones that are needed to separate all rows. */
export function chooseDimensions(
  result: Result,
  rows: readonly Row[],
  { x, series }: ChartDimensions,
): readonly Dimension[] {
  const more: readonly Dimension[] = [
    ...varyingParameters(result).map((parameter) => ({ parameter })),
    ...(['operation', 'phase', 'run', 'member', 'window', 'fault', 'occurrence'] as const).map((row) => ({ row })),
    ...[labelName, ...variedNames(result)].map((parameter) => ({ parameter })),
  ]
  for (const dimension of [x, ...series]) {
    if (dimension !== null && 'parameter' in dimension) requireParameter(result, dimension.parameter)
  }
  const chosen = [...series]
  for (const dimension of more) {
    const before = countPositions(rows, x, chosen)
    if (before < rows.length && countPositions(rows, x, [...chosen, dimension]) > before) chosen.push(dimension)
  }
  return chosen
}

function countPositions(rows: readonly Row[], x: Dimension | null, series: readonly Dimension[]): number {
  const dimensions = x === null ? series : [x, ...series]
  return new Set(rows.map((row) => JSON.stringify(dimensions.map((dimension) => valueOn(row, dimension))))).size
}

function valueOn(row: Row, dimension: Dimension): Cell {
  return 'row' in dimension ? rowPartCell(row, dimension.row) : rawParameter(row, dimension.parameter)
}

function rawParameter({ variant }: Row, name: string): Cell {
  return variant.parameters[name] === undefined ? parameterCell(variant, name) : identifyChoice(variant, name)
}

/** The title of a dimension: its own, else that of a table column if there is one. */
export function dimensionTitle(spec: FullReportSpec, dimension: Dimension): string {
  if (dimension.title !== undefined) return dimension.title
  if ('parameter' in dimension) {
    const { parameter } = dimension
    const title = parameterTitle(spec, parameter)
    return title === parameter ? toLabel(parameter) : title
  }
  const columns = spec.tables.flatMap((table) => table.columns)
  const titles = columns.flatMap((column) =>
    typeof column === 'object' && 'row' in column && column.row === dimension.row ? (column.title ?? []) : [],
  )
  return titles[0] ?? titleOfRow(dimension.row)
}

/** Tables title letters and numbers "Row"; an axis shows what they stand for. */
const titleOfRow = (part: RowPart): string => (part === 'letter' || part === 'number' ? 'Variant' : rowPartTitles[part])

/** The number of a row on an x axis. Null if it is text. */
export function numberOn(row: Row, dimension: Dimension): number | null {
  if ('row' in dimension) {
    const cell = rowPartCell(row, dimension.row)
    return typeof cell === 'number' ? cell : null
  }
  const cell = parameterCell(row.variant, dimension.parameter)
  return typeof cell === 'number' ? cell : null
}

/** The place of a row on a category axis: different values may have the same label, and equal values different ones. */
export const placeOn = (row: Row, dimension: Dimension): string =>
  JSON.stringify([valueOn(row, dimension), labelOn(row, dimension)])

/** The rows of one line, with the label that distinguishes them. */
export type Series = { readonly text: string; readonly members: readonly Row[] }

export function groupIntoSeries(
  spec: FullReportSpec,
  rows: readonly Row[],
  dimensions: readonly Dimension[],
): readonly Series[] {
  const groups = groupBy(rows, (row) => dimensions.map((dimension) => placeOn(row, dimension)).join())
  return [...groups.values()].flatMap((members) => {
    const [first] = members
    return first === undefined ? [] : [{ text: seriesText(spec, first, dimensions), members }]
  })
}

/** Parts of a row that need no title in front. */
const selfExplanatory: ReadonlySet<RowPart> = new Set(['operation', 'phase', 'member', 'role', 'fault'])

/** The label of a row in a legend. */
export function seriesText(spec: FullReportSpec, row: Row, dimensions: readonly Dimension[]): string {
  return dimensions
    .map((dimension) => {
      const title = dimensionTitle(spec, dimension)
      if ('parameter' in dimension) return titledLabel(row, dimension, title)
      const label = labelOn(row, dimension)
      return selfExplanatory.has(dimension.row) ? label : `${title} ${label}`
    })
    .join(', ')
}
