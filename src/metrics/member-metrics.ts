import { metricIn } from './address.ts'
import { chartRows } from './chart-shape.ts'
import { getColumn, isMetric } from './columns.ts'
import { type MetricName } from './columns/column.ts'
import { type ChartSpec, type TableSpec } from './report-schema.ts'

type Shown = {
  readonly tables?: readonly TableSpec[] | undefined
  readonly charts?: readonly ChartSpec[] | undefined
}

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
