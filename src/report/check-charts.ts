import { type Path } from '../json.ts'
import { type Address, readAddress } from './address.ts'
import { chartRows } from './charts/dimensions.ts'
import { mostUnits, unitsOf } from './charts/y-axes.ts'
import { checkExpression, checkMeasure, fault, rowPartFaults, type ReportFault } from './check-expression.ts'
import { columnOf } from './columns.ts'
import { parameterFaults } from './parameters.ts'
import { type ChartSpec, type Dimension, type ReportSpec, type TableRows } from './schema.ts'
import { type Shape } from './scope.ts'

export function checkCharts(
  { charts = [], let: given = {} }: ReportSpec,
  shape: Shape,
  parameters: readonly string[],
): readonly ReportFault[] {
  return charts.flatMap((chart, index) => {
    const path = ['charts', index]
    const { where, series = [] } = chart
    const rows = chartRows(chart)
    const place = { path: [...path, 'where'], shape, rows, names: Object.keys(given) }
    const known = { parameters, rows }
    return [
      ...(where === undefined ? [] : checkExpression(where, place)),
      ...(chart.kind === 'percentiles'
        ? []
        : [...xFaults([...path, 'x'], chart.x, known), ...yFaults([...path, 'y'], chart, shape)]),
      ...series.flatMap((one, position) => dimensionFaults([...path, 'series', position], one, known)),
    ]
  })
}

type Drawn = Exclude<ChartSpec, { kind: 'percentiles' }>

/** What the dimensions of a chart may name. */
type Known = { readonly parameters: readonly string[]; readonly rows: TableRows }

function xFaults(path: Path, x: Drawn['x'], known: Known): readonly ReportFault[] {
  return typeof x === 'string' ? [] : dimensionFaults(path, x, known)
}

function dimensionFaults(path: Path, dimension: Dimension, { parameters, rows }: Known): readonly ReportFault[] {
  return 'parameter' in dimension
    ? parameterFaults([...path, 'parameter'], dimension.parameter, parameters)
    : rowPartFaults([...path, 'row'], dimension.row, rows)
}

function yFaults(path: Path, chart: Drawn, shape: Shape): readonly ReportFault[] {
  const units = unitsOf(chart.y)
  return [
    ...chart.y.flatMap((address, index) => drawnFaults([...path, index], address, chart, shape)),
    ...(units.length > mostUnits
      ? fault(path, `the chart has ${units.length} units, and room for the axes of ${mostUnits}`)
      : []),
  ]
}

function drawnFaults(path: Path, address: string, chart: Drawn, shape: Shape): readonly ReportFault[] {
  const rows = chartRows(chart)
  const read = readAddress(address, shape, rows)
  if ('reason' in read) return fault(path, read.reason, read.nearest)
  const { measure, place } = read
  const column = columnOf(measure)
  if (column.isWord) return fault(path, `"${measure}" is a word and cannot be drawn`)
  if (chart.x === 'operation') return singleCallFaults(path, read, shape)
  if (chart.x !== 'second') return checkMeasure(address, path, shape, rows)
  // Steps are not counted second by second.
  if ('perSecond' in column && place?.kind !== 'step') return []
  return fault(path, `"${measure}" is not known for single seconds`)
}

function singleCallFaults(path: Path, { measure, place }: Address, { phases, partial }: Shape): readonly ReportFault[] {
  if (!('perCall' in columnOf(measure)))
    return fault(path, `"${measure}" is not known for single operations`, 'latencyMs')
  const asked = phases.filter(({ name }) => place === null || (place.kind !== 'check' && name === place.phase))
  if (partial === true || asked.some(({ keepsSamples }) => keepsSamples)) return []
  return fault(
    path,
    `no single timings are kept: ${asked.map(({ name }) => `phase "${name}"`).join(' or ')} needs "keepSamples": true`,
  )
}
