import { type Series } from '../../metrics/columns/column.ts'
import { getColumn } from '../../metrics/columns/index.ts'
import { asRates, lengthOfSecond } from '../../metrics/columns/per-second.ts'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { type TableRows } from '../../metrics/report-schema.ts'
import { type Row } from '../../metrics/rows/rows.ts'
import { isNumber, sum } from '../../metrics/statistics.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { type OperationResult } from '../../results/schema/calls.ts'
import { chooseDimensions, seriesText } from '../charts/dimensions.ts'
import { faultsOver } from '../charts/faults.ts'
import { rounded } from './markup.ts'
import { type OperationLine, type ServerPanel, type TimeLine } from './page-data.ts'

/** More points are closer together than pixels. */
const maxPoints = 1200

/** Every phase of every run over time. Empty where a result kept no time lines. */
export function createTimeLines(evaluation: Evaluation): readonly TimeLine[] {
  return labelled(evaluation, 'runs').flatMap(({ row, label }) =>
    row.variant.phases.flatMap((phase) =>
      phase.operations.some(({ perSecond }) => perSecond.ok.length > 1)
        ? [createTimeLine(row, phase, [label, phase.name].filter((part) => part !== '').join(' · '))]
        : [],
    ),
  )
}

function createTimeLine(row: Row, phase: PhaseResult, label: string): TimeLine {
  const { bands = [], strips = [] } = faultsOver([{ phase, row, name: '' }])
  const seconds = Math.max(...phase.operations.map(({ perSecond }) => perSecond.ok.length))
  const step = Math.ceil(seconds / maxPoints)
  const isFromPlan = phase.operations.some(({ openLoop }) => openLoop !== null)
  return {
    label,
    end: phase.wallSeconds,
    step,
    operations: phase.operations.map((operation) => operationLine(operation, phase.wallSeconds, step)),
    ...(phase.openLoop !== null &&
      phase.openLoop.dropped > 0 && {
        unsent: inSteps(asRates(phase.openLoop.perSecond.dropped, phase.openLoop.seconds), step, mean),
      }),
    panels: createServerPanels(row, phase, step),
    bands,
    strips,
    isFromPlan,
  }
}

function operationLine(
  { name, perSecond, openLoop, latency }: OperationResult,
  end: number,
  step: number,
): OperationLine {
  const whole = (series: Series): Series =>
    series.map((value, second) => (lengthOfSecond(second, series, end) === 0 ? null : value))
  const rates = (series: Series): Series => inSteps(asRates(series, end), step, mean)
  const highest = (series: Series): Series => inSteps(whole(series), step, max)
  const planned = openLoop?.perSecond
  return {
    name,
    ok: rates(perSecond.ok),
    errors: rates(perSecond.failed.map((failed, second) => failed + (perSecond.unknown[second] ?? 0))),
    p50: highest(planned?.responseP50Ms ?? perSecond.p50Ms),
    p99: highest(planned?.responseP99Ms ?? perSecond.p99Ms),
    max: highest(planned?.responseMaxMs ?? perSecond.maxMs),
    minMs: (openLoop?.response ?? latency.ok)?.minMs ?? 0,
    histograms: histogramsInSteps(
      (openLoop ? openLoop.perSecond.responseHistograms : perSecond.histograms) ?? [],
      step,
    ),
  }
}

const mean = (values: readonly number[]): number => sum(values) / values.length
const max = (values: readonly number[]): number => Math.max(...values)

/** One value for each `step` seconds. Null where none of them has one. */
function inSteps(series: Series, step: number, combine: (values: readonly number[]) => number): Series {
  return Array.from({ length: Math.ceil(series.length / step) }, (_, index) => {
    const known = series.slice(index * step, (index + 1) * step).filter(isNumber)
    return known.length === 0 ? null : rounded(combine(known))
  })
}

const panels = [
  { title: 'Server CPU (% of a core)', metrics: [['serverCpuPercent', '']], ofEachMember: true },
  {
    title: 'Disk (MB/s)',
    metrics: [
      ['diskReadMBps', 'read'],
      ['diskWriteMBps', 'written'],
    ],
    ofEachMember: false,
  },
] as const

/** The disk is that of the member that takes the writes. */
function createServerPanels({ variant }: Row, phase: PhaseResult, step: number): readonly ServerPanel[] {
  const scope = { variant, phase, operations: phase.operations, streams: phase.streams }
  return panels.flatMap(({ title, metrics, ofEachMember }) => {
    const members = ofEachMember ? phase.members.map(({ member }) => member) : [undefined]
    const lines = members.flatMap((member) =>
      metrics.flatMap(([metric, label]) => {
        const column = getColumn(metric)
        const series =
          'perSecond' in column ? column.perSecond?.({ ...scope, ...(member !== undefined && { member }) }) : null
        return series?.some(isNumber)
          ? [{ label: label === '' ? (member ?? '') : label, values: inSteps(series, step, mean) }]
          : []
      }),
    )
    return lines.length === 0 ? [] : [{ title, lines }]
  })
}

type Histogram = readonly number[]

/** Adds up the histograms of every `step` seconds. Each is the number of its first bin, and the counts from that bin on. */
export const histogramsInSteps = (seconds: readonly Histogram[], step: number): readonly Histogram[] =>
  Array.from({ length: Math.ceil(seconds.length / step) }, (_, index) =>
    added(seconds.slice(index * step, (index + 1) * step).filter(({ length }) => length > 0)),
  )

function added(histograms: readonly Histogram[]): Histogram {
  if (histograms.length === 0) return []
  const all = histograms.map(([first = 0, ...counts]) => ({ first, counts, end: first + counts.length }))
  const [first, end] = [Math.min(...all.map((one) => one.first)), Math.max(...all.map((one) => one.end))]
  const countIn = (bin: number): number => sum(all.map((one) => one.counts[bin - one.first] ?? 0))
  return [first, ...Array.from({ length: end - first }, (_, index) => countIn(first + index))]
}

/** Rows with what distinguishes them. A single row has an empty label. */
export function labelled(
  evaluation: Evaluation,
  kind: TableRows,
): readonly { readonly row: Row; readonly label: string }[] {
  const { result, spec } = evaluation
  const rows = evaluation.rows(kind)
  const dimensions = chooseDimensions(result, rows, { x: null, series: [] })
  return rows.map((row) => ({ row, label: seriesText(spec, row, dimensions) }))
}
