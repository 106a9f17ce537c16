import { metricIn, columnNamed } from './address.ts'
import { type MetricName } from './columns/column.ts'
import { getColumn, isMetric } from './columns/index.ts'
import { type ChartSpec, type TableSpec, type TableRows } from './report-schema.ts'
import { isFaultPart, isMemberPart } from './rows/row-parts.ts'
import { type Shape } from './scope.ts'

type Shown = { readonly tables?: readonly TableSpec[] | undefined; readonly charts?: readonly ChartSpec[] | undefined }

/**
 * The metrics that tables and charts of members show, which a compact result must keep. Every string that looks like an
 * address counts: a superfluous metric costs a few bytes, a missing one an empty column.
 */
export function memberMetrics({ tables = [], charts = [] }: Shown): ReadonlySet<MetricName> {
  const shown = [
    ...tables.filter(({ rows }) => rows === 'members'),
    ...charts.filter((chart) => chartRows(chart) === 'members'),
  ]
  return new Set(shown.flatMap(textsIn).map(metricIn).flatMap(listMetrics))
}

function listMetrics(metric: string): readonly MetricName[] {
  const column = isMetric(metric) ? getColumn(metric) : null
  return column !== null && 'metrics' in column ? (column.metrics ?? []) : []
}

function textsIn(node: unknown): readonly string[] {
  if (typeof node === 'string') return [node]
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsIn) : []
}

/** Returns what one point of a chart stands for: a run, operation or member if the chart names them. */
export function chartRows(chart: ChartSpec): Exclude<TableRows, 'once'> {
  const places = [
    ...('x' in chart && typeof chart.x === 'object' ? [chart.x] : []),
    ...('along' in chart ? [chart.along] : []),
  ]
  const named = [...places, ...(chart.series ?? [])]
  if ('rows' in chart && chart.rows !== undefined) return chart.rows
  if (chart.kind === 'percentiles' && chart.series === undefined) return 'operations'
  if (named.some((dimension) => 'row' in dimension && dimension.row === 'operation')) return 'operations'
  if (named.some((dimension) => 'row' in dimension && dimension.row === 'run')) return 'runs'
  const areFaults = named.some((dimension) => 'row' in dimension && isFaultPart(dimension.row))
  const areWindows = named.some((dimension) => 'row' in dimension && dimension.row === 'window')
  const isOfMembers = named.some((dimension) => 'row' in dimension && isMemberPart(dimension.row))
  // The client measures no latency by member or fault, and stores no distribution of a window.
  if (chart.kind === 'percentiles') return 'variants'
  if (areFaults) return 'faults'
  if (areWindows) return 'windows'
  if (isOfMembers) return 'members'
  return 'variants'
}

/** Maximum number of units, and thus of y axes, in a chart. */
export const maxUnits = 2

/** The distinct units of addresses, in order; unknown measures are skipped. */
export function listUnits(names: readonly string[], shape: Shape): readonly string[] {
  const units = names.flatMap((name) => columnNamed(metricIn(name), shape)?.unit ?? [])
  return [...new Set(units)]
}
