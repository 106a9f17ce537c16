import { checkAddress } from './address.ts'
import { chartRows } from './charts/dimensions.ts'
import { mostUnits, unitsOf } from './charts/y-axes.ts'
import { columnOf, isMeasure } from './columns.ts'
import { labelName } from './parameters.ts'
import { nearest } from '../nearest.ts'
import { type ChartSpec, type Dimension, type ReportSpec } from './schema.ts'
import { type Shape } from './scope.ts'

export type ReportFault = {
  /** Where it stands in the report part. */
  readonly path: readonly (string | number)[]
  readonly reason: string
  /** The valid word that was most likely meant. */
  readonly nearest: string | null
}

/**
 * What is wrong with a report part beyond its form, so that it shows before anything is measured.
 * @param shape The measured phases of the spec.
 * @param parameters The names of its parameters.
 */
export function checkReport(report: ReportSpec, shape: Shape, parameters: readonly string[]): readonly ReportFault[] {
  return [...checkTables(report, shape, parameters), ...checkCharts(report, shape, parameters)]
}

function checkTables({ tables = [] }: ReportSpec, shape: Shape, parameters: readonly string[]): readonly ReportFault[] {
  return tables.flatMap((table, index) =>
    table.columns.flatMap((column, position) => {
      const path = ['tables', index, 'columns', position]
      if (typeof column === 'string') return addressFaults(path, column, shape, table.rows)
      if ('metric' in column) return addressFaults([...path, 'metric'], column.metric, shape, table.rows)
      return 'parameter' in column ? parameterFaults([...path, 'parameter'], column.parameter, parameters) : []
    }),
  )
}

function checkCharts({ charts = [] }: ReportSpec, shape: Shape, parameters: readonly string[]): readonly ReportFault[] {
  return charts.flatMap((chart, index) => {
    const path = ['charts', index]
    const series = (chart.series ?? []).flatMap((one, position) =>
      dimensionFaults([...path, 'series', position], one, parameters),
    )
    return chart.kind === 'percentiles'
      ? series
      : [...xFaults([...path, 'x'], chart.x, parameters), ...yFaults([...path, 'y'], chart, shape), ...series]
  })
}

type Path = ReportFault['path']
type Drawn = Exclude<ChartSpec, { kind: 'percentiles' }>

function xFaults(path: Path, x: Drawn['x'], parameters: readonly string[]): readonly ReportFault[] {
  return x === 'second' ? [] : dimensionFaults(path, x, parameters)
}

function dimensionFaults(path: Path, dimension: Dimension, parameters: readonly string[]): readonly ReportFault[] {
  return 'parameter' in dimension ? parameterFaults([...path, 'parameter'], dimension.parameter, parameters) : []
}

function yFaults(path: Path, chart: Drawn, shape: Shape): readonly ReportFault[] {
  const units = unitsOf(chart.y)
  return [
    ...chart.y.flatMap((address, index) => [
      ...addressFaults([...path, index], address, shape, chartRows(chart)),
      ...drawingFaults([...path, index], address, chart.x === 'second'),
    ]),
    ...(units.length > mostUnits
      ? [{ path, reason: `the chart has ${units.length} units, and room for the axes of ${mostUnits}`, nearest: null }]
      : []),
  ]
}

function drawingFaults(path: Path, address: string, bySecond: boolean): readonly ReportFault[] {
  const measure = address.slice(address.lastIndexOf('.') + 1)
  if (!isMeasure(measure)) return []
  if (measure === 'steadiness') return [{ path, reason: '"steadiness" is a word and cannot be drawn', nearest: null }]
  if (!bySecond || 'perSecond' in columnOf(measure)) return []
  return [{ path, reason: `"${measure}" is not known for single seconds`, nearest: null }]
}

function addressFaults(
  path: Path,
  address: string,
  shape: Shape,
  rows: Parameters<typeof checkAddress>[2],
): readonly ReportFault[] {
  const fault = checkAddress(address, shape, rows)
  return fault === null ? [] : [{ path, ...fault }]
}

function parameterFaults(path: Path, name: string, parameters: readonly string[]): readonly ReportFault[] {
  const known = [...parameters, labelName]
  if (known.includes(name) || known.includes(name.split('.')[0] ?? '')) return []
  return [{ path, reason: `there is no parameter "${name}"`, nearest: nearest(name, known) ?? null }]
}
