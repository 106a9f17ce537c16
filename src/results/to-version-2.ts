import { isObject, type Json, type JsonObject } from '../core/json.ts'
import { formerMetrics } from './former-measures.ts'

/** What the columns showed the spread of. */
const shownMetrics: Readonly<Record<string, string>> = {
  spreadPercent: 'opsPerSecond',
  clientCpuSpreadPercent: 'clientCpuUsPerOperation',
  serverCpuSpreadPercent: 'serverCpuUsPerOperation',
}

const pattern = new RegExp(`(?<![A-Za-z])(?:${[...formerMetrics.keys()].join('|')})\\b`, 'g')

/**
 * The spread of runs went: columns of tables show the interval instead, which fewer than six runs have the lowest and the highest for; elsewhere the
 * measure is used that came in its place. The warning about few samples went too: percentiles that it was about are not shown.
 */
export function toVersion2(older: JsonObject): JsonObject {
  const { spec, variants } = older
  return {
    ...older,
    ...(isObject(spec) && { spec: withoutSpreads(spec) }),
    ...(Array.isArray(variants) && { variants: variants.map(withoutFewSamples) }),
  }
}

function withoutSpreads(spec: JsonObject): JsonObject {
  const { report = null, thresholds = null } = spec
  return { ...spec, report: renamed(withIntervals(report)), thresholds: renamed(thresholds) }
}

function withIntervals(report: Json): Json {
  if (!isObject(report) || !Array.isArray(report['tables'])) return report
  return { ...report, tables: report['tables'].map(withIntervalColumns) }
}

function withIntervalColumns(table: Json): Json {
  const columns = isObject(table) ? table['columns'] : null
  if (!isObject(table) || !Array.isArray(columns)) return table
  const all = (columns as readonly Json[]).map(named)
  return { ...table, columns: columns.map((column: Json, index) => intervalColumn(all[index], all) ?? column) }
}

const named = (column: Json): Json => (typeof column === 'string' ? { metric: column } : column)

/** Undefined: the column shows no spread. */
function intervalColumn(column: Json | undefined, all: readonly Json[]): Json | undefined {
  if (!isObject(column) || typeof column['metric'] !== 'string') return undefined
  const { metric, at } = column
  const measured = metric.replace(pattern, (name) => shownMetrics[name] ?? name)
  if (measured === metric) return undefined
  const place = metric.slice(0, metric.lastIndexOf('.') + 1)
  const shown = all.filter(isObject).find((one) => metric === `${place}spreadPercent` && isThroughput(one, place))
  const title = shown?.['title']
  return {
    metric: shown?.['metric'] ?? measured,
    show: 'interval',
    ...(typeof title === 'string' && { title: `${title} over Runs` }),
    ...(at !== undefined && { at }),
  }
}

const isThroughput = ({ metric, at }: JsonObject, place: string): boolean =>
  at === undefined && (metric === `${place}opsPerSecond` || metric === `${place}docsPerSecond`)

const renamed = (node: Json): Json =>
  JSON.parse(JSON.stringify(node).replace(pattern, (name) => formerMetrics.get(name) ?? name)) as Json

function withoutFewSamples(variant: Json): Json {
  if (!isObject(variant) || !Array.isArray(variant['phases'])) return variant
  return { ...variant, phases: variant['phases'].map(withoutWarning) }
}

function withoutWarning(phase: Json): Json {
  if (!isObject(phase) || !Array.isArray(phase['warnings'])) return phase
  const warnings = phase['warnings'].filter((warning: Json) => !isObject(warning) || warning['code'] !== 'few-samples')
  return { ...phase, warnings }
}
