import { z } from 'zod'
import { listRows } from '../../metrics/rows/rows.ts'
import { describeShape } from '../../metrics/scope.ts'
import { type Result } from '../../results/schema.ts'
import { figure } from '../../results/schema/figure.ts'
import { type ServerInfo } from '../../results/schema/servers.ts'
import { type RowPair } from '../comparison/match-rows.ts'
import { type ComparedMetric, defaultMetrics } from '../comparison/metrics.ts'
import { valuesOfChoice } from '../comparison/values.ts'
import { coresText, collectEnvironmentFacts } from '../prose/environment.ts'
import { type MedianInterval, medianInterval } from './median-interval.ts'

/** One run of a spec, as a line of its history. */
export const historyEntry = z.object({
  date: z.iso.datetime(),
  /** Null: not known. */
  commit: z.string().nullable(),
  tool: z.string(),
  spec: z.object({ name: z.string(), hash: z.string() }),
  /** Kind of the machines: those of the client, and of servers that were not started on it. */
  machine: z.string(),
  /** "MongoDB 6.0.5, wiredTiger; standalone" */
  server: z.string(),
  driver: z.string(),
  rows: z.array(
    z.object({
      row: z.string(),
      /** Values by addresses, such as "findOne.p99Ms". */
      values: z.record(z.string(), z.object({ median: figure, low: figure, high: figure, runs: z.int().positive() })),
    }),
  ),
})

export type HistoryEntry = z.output<typeof historyEntry>

/** Creates what a history keeps of a result: the median of each measure that is compared by default, with its interval. */
export function createHistoryEntry(result: Result, commit: string | null): HistoryEntry {
  const { spec, tool, startedAt } = result
  return {
    date: startedAt,
    commit,
    tool: tool.version,
    spec: { name: spec.name, hash: spec.hash },
    machine: describeMachine(result),
    server: factsText(result, ['Server', 'Topology']),
    driver: factsText(result, ['Driver']),
    rows: rowsIn(result),
  }
}

function rowsIn(result: Result): HistoryEntry['rows'] {
  const isOnly = describeShape(result).phases.length === 1
  return listRows(result, 'variants').map((row) => {
    const label = row.variant.label
    const pair: RowPair = { label, a: row, b: row }
    // All of a choice: from run to run, a percentile may have enough samples or not.
    const measured = defaultMetrics(pair, isOnly)
      .flat()
      .flatMap((measure) => {
        const interval = intervalIn(measure, pair)
        return interval === null ? [] : [[measure.text, interval] as const]
      })
    return { row: label, values: Object.fromEntries(measured) }
  })
}

function intervalIn(measure: ComparedMetric, pair: RowPair): MedianInterval | null {
  const values = valuesOfChoice([measure], pair, { rounds: 'unpaired', roundOf: null })
  const interval = 'kind' in values ? null : medianInterval(values.a)
  return (
    interval && {
      ...interval,
      median: rounded(interval.median),
      low: rounded(interval.low),
      high: rounded(interval.high),
    }
  )
}

/** Six digits are more than any table prints. */
const rounded = (value: number): number => Number(value.toPrecision(6))

const mbPerGB = 1024

/** Whole GB: kernels of one kind of machine differ by some MB in what they report. */
const memoryText = (mb: number): string => `${Math.round(mb / mbPerGB)} GB`

function describeMachine({ environment: { host }, variants }: Result): string {
  const servers = variants.flatMap(({ server }) => (server === null || server.startedByUs ? [] : serverText(server)))
  return [`${host.cpu}, ${coresText(host.cores)}, ${memoryText(host.memoryMB)}`, ...new Set(servers)].join('; ')
}

function serverText({ cores, memoryMB }: ServerInfo): string {
  const parts = [
    cores === null ? 'unknown cores' : coresText(cores),
    ...(memoryMB === null ? [] : [memoryText(memoryMB)]),
  ]
  return `server with ${parts.join(', ')}`
}

function factsText(result: Result, names: readonly string[]): string {
  const known = collectEnvironmentFacts(result)
  return names.flatMap((name) => known.filter((fact) => fact.name === name).map(({ value }) => value)).join('; ')
}
