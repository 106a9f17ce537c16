import { type CheckKind, type CheckMetric, checkMetrics, getMeasures } from '../../results/check-metrics.ts'
import { type CheckResult } from '../../results/schema.ts'
import { limitText } from '../limited-by/index.ts'
import { isNumber, median, sum } from '../statistics.ts'
import { type Column, type ColumnEntry, defineColumns } from './column.ts'
import { documentColumns } from './documents.ts'
import { efficiencyColumns } from './efficiency.ts'
import { explainColumns } from './explain.ts'
import { faultColumns } from './faults.ts'
import { latencyColumns } from './latency.ts'
import { memberColumns } from './members.ts'
import { openLoopColumns } from './open-loop.ts'
import { poolColumns } from './pool.ts'
import { serverColumns } from './server.ts'
import { storageColumns } from './storage.ts'
import { streamColumns } from './streams.ts'
import { throughputColumns } from './throughput.ts'
import { transactionColumns } from './transactions.ts'
import { trustColumns } from './trust.ts'
import { windowColumns } from './windows.ts'

/** A figure of a kind of check: "acknowledgedWritesSurvive.lost". In an address, the name of the check comes first. */
type CheckColumn = { [Kind in CheckKind]: `${Kind}.${keyof (typeof checkMetrics)[Kind] & string}` }[CheckKind]

const ofRuns = {
  median,
  max: (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values)),
  min: (values: readonly number[]) => (values.length === 0 ? null : Math.min(...values)),
} as const satisfies Record<CheckMetric['ofRuns'], (values: readonly number[]) => number | null>

const rangeTextByAggregate = {
  median: '',
  max: '; with several runs the maximum',
  min: '; with several runs the minimum',
} as const satisfies Record<CheckMetric['ofRuns'], string>

const checkColumns = defineColumns(
  { source: 'client', of: ['check'] },
  Object.fromEntries(
    Object.keys(checkMetrics).flatMap((kind) =>
      Object.entries(getMeasures(kind)).map(([name, metric]): [string, ColumnEntry] => [
        `${kind}.${name}`,
        {
          title: metric.title,
          meaning: metric.meaning.replace(/\.$/, `${rangeTextByAggregate[metric.ofRuns]}.`),
          ofChecks: (checks: readonly CheckResult[]) =>
            ofRuns[metric.ofRuns](checks.map(({ measures }) => measures[name]).filter(isNumber)),
        },
      ]),
    ),
  ),
) as Readonly<Record<CheckColumn, Column>>

const ofPlace = { source: 'client', of: ['phase', 'operation'] } as const

/** Column for individual latencies, if a phase keeps them. */
const singleCallColumns = defineColumns(ofPlace, {
  latencyMs: {
    title: 'Latency (ms)',
    meaning:
      'Latency of each successful operation, measured at the client, for line charts over the operations ("x": "operation").',
    perCall: ({ operations }) => {
      const kept = operations.flatMap((calls) => ('samples' in calls && calls.samples !== null ? [calls.samples] : []))
      if (kept.length === 0) return null
      const points = kept.flatMap(({ numbers, ms }) =>
        numbers.map((number, index) => ({ x: number + 1, y: ms[index] ?? 0 })),
      )
      return { points: points.toSorted((a, b) => a.x - b.x), dropped: sum(kept.map(({ dropped }) => dropped)) }
    },
  },
})

const limitedByColumns = defineColumns(ofPlace, {
  limitedBy: {
    title: 'Limited by',
    isText: true,
    meaning:
      'What kept throughput from being higher, with the figures that decided it: other programs, client CPU, write conflicts, tickets, server CPU, disk throughput, disk IOPS, connections of the pool, journal syncs, round trips or offered rate. The most frequent limit across runs; "not known" if no run found one, and for windows under a second. It applies to the whole phase.',
    overRuns: limitText,
  },
})

/** Every measure that tables, charts and thresholds can name. To add one, add an entry to its family. */
export const columns = {
  ...throughputColumns,
  ...latencyColumns,
  ...openLoopColumns,
  ...poolColumns,
  ...windowColumns,
  ...documentColumns,
  ...explainColumns,
  ...transactionColumns,
  ...streamColumns,
  ...singleCallColumns,
  ...serverColumns,
  ...memberColumns,
  ...faultColumns,
  ...storageColumns,
  ...efficiencyColumns,
  ...trustColumns,
  ...limitedByColumns,
  ...checkColumns,
} as const

export type BuiltInMetric = keyof typeof columns

export const measures = Object.keys(columns) as readonly BuiltInMetric[]

/** Whether a name is that of a measure. */
export function isMetric(name: string): name is BuiltInMetric {
  return Object.hasOwn(columns, name)
}

export function getColumn(metric: BuiltInMetric): Column {
  return columns[metric]
}
