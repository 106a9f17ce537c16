import { type Path } from '../../../core/json.ts'
import { oneFinding, type Finding } from '../../../language/issues.ts'
import { type Address, readAddress } from '../../../metrics/address.ts'
import { type ChartSpec, type Dimension, type ReportSpec, type TableRows } from '../../../metrics/report-schema.ts'
import { parameterIssues } from '../../../metrics/rows/parameters.ts'
import { type Shape } from '../../../metrics/scope.ts'
import { chartRows, maxUnits, listUnits } from '../../../metrics/shown-metrics.ts'
import { validateExpression, validateMetricAddress, rowPartIssues } from './validate-expression.ts'

export function validateCharts(
  { charts = [], let: given = {} }: ReportSpec,
  shape: Shape,
  parameters: readonly string[],
): readonly Finding[] {
  return charts.flatMap((chart, index) => {
    const path = ['charts', index]
    const { where, series = [] } = chart
    const rows = chartRows(chart)
    const place = { path: [...path, 'where'], shape, rows, names: Object.keys(given) }
    const known = { parameters, rows }
    return [
      ...(where === undefined ? [] : validateExpression(where, place)),
      ...(chart.kind === 'percentiles'
        ? []
        : [...placeIssues(path, chart, known, shape), ...yIssues([...path, 'y'], chart, shape)]),
      ...series.flatMap((one, position) => dimensionIssues([...path, 'series', position], one, known)),
    ]
  })
}

type Drawn = Exclude<ChartSpec, { kind: 'percentiles' }>

/** Parameters and rows that the dimensions of a chart may refer to. */
type Known = { readonly parameters: readonly string[]; readonly rows: TableRows }

function placeIssues(path: Path, chart: Drawn, known: Known, shape: Shape): readonly Finding[] {
  if (chart.kind === 'saturation') {
    return [
      ...dimensionIssues([...path, 'along'], chart.along, known),
      ...drawnIssues([...path, 'x'], chart.x, chart, shape),
    ]
  }
  return typeof chart.x === 'string' ? [] : dimensionIssues([...path, 'x'], chart.x, known)
}

function dimensionIssues(path: Path, dimension: Dimension, { parameters, rows }: Known): readonly Finding[] {
  return 'parameter' in dimension
    ? parameterIssues([...path, 'parameter'], dimension.parameter, parameters)
    : rowPartIssues([...path, 'row'], dimension.row, rows)
}

function yIssues(path: Path, chart: Drawn, shape: Shape): readonly Finding[] {
  const units = listUnits(chart.y, shape)
  const limit = chart.kind === 'saturation' ? 1 : maxUnits
  return [
    ...chart.y.flatMap((address, index) => drawnIssues([...path, index], address, chart, shape)),
    ...(units.length > limit
      ? oneFinding(path, `the chart has ${units.length} units, and at most ${limit} are possible`)
      : []),
  ]
}

function drawnIssues(path: Path, address: string, chart: Drawn, shape: Shape): readonly Finding[] {
  const rows = chartRows(chart)
  const read = readAddress(address, shape, rows)
  if ('reason' in read) return oneFinding(path, read.reason, read.nearest)
  const { metric, column, target: place } = read
  if (column.isText) return oneFinding(path, `"${metric}" is text and cannot be drawn`)
  if (chart.kind === 'line' && chart.x === 'operation') return singleOperationIssues(path, read, shape)
  if (chart.kind !== 'line' || chart.x !== 'second') return validateMetricAddress(address, path, shape, rows)
  // Steps have no counts per second.
  if ('perSecond' in column && place?.kind !== 'step') return []
  return oneFinding(path, `"${metric}" has no values per second`)
}

function singleOperationIssues(
  path: Path,
  { metric, column, target: place }: Address,
  { phases, partial }: Shape,
): readonly Finding[] {
  if (!('perCall' in column)) return oneFinding(path, `"${metric}" has no values per operation`, 'latencyMs')
  const asked = phases.filter(({ name }) => place === null || (place.kind !== 'check' && name === place.phase))
  if (partial === true || asked.some(({ keepsSamples }) => keepsSamples)) return []
  return oneFinding(
    path,
    `no individual latencies are kept: ${asked.map(({ name }) => `phase "${name}"`).join(' or ')} needs "keepSamples": true`,
  )
}
