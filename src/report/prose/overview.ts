import { distinct } from '../../core/json.ts'
import { formatQuantity, groupDigits } from '../../core/quantities.ts'
import { type Address, createAddress, metricIn } from '../../metrics/address.ts'
import { createAgainst } from '../../metrics/against.ts'
import { type BuiltInMetric } from '../../metrics/columns/index.ts'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { cellText } from '../../metrics/format.ts'
import { ratioCell } from '../../metrics/ratios.ts'
import { type Cell, computeFigure, type Row } from '../../metrics/rows/rows.ts'
import { isKnownForWindows } from '../../metrics/rows/windows.ts'
import { searchWords } from '../../metrics/search-words.ts'
import { groupBy, isNumber, computeRange } from '../../metrics/statistics.ts'
import { missedThresholds, valueText, type Verdict } from '../../metrics/thresholds.ts'
import { whyNotCompared } from '../../metrics/trust/judge.ts'
import { rowChecks } from '../../results/row-checks.ts'
import { type Result } from '../../results/schema.ts'
import { minRounds } from '../../statistics/estimate.ts'
import { type ReportTree, type TrustBlock } from '../blocks/block.ts'
import { trustMarks } from '../tables/readable-table.ts'
import { computeFinding } from './finding.ts'
import { capitalize, formatAnswer, listSearches } from './search-text.ts'

/** Overview that a reader should know first: what was found, how far to believe it, and what limited it. */
export type Overview = {
  readonly finding: { readonly text: string; readonly ratio: string } | null
  readonly limitedBy: string
  readonly trust: TrustBlock | null
  readonly metrics: readonly OverviewMetric[]
  /** Thresholds that were missed, once the run has ended. */
  readonly missed: readonly OverviewMetric[]
  readonly against: readonly OverviewRatios[]
  /** The run goes on: what is missing may still come. */
  readonly isRunning: boolean
}

/** A main figure of a result: of one row, of two with their ratio, or from the lowest to the highest row. */
type OverviewMetric = { readonly title: string; readonly value: string; readonly of: string }

/** Ratios of rows to the base row of a table. */
export type OverviewRatios = { readonly title: string; readonly rows: readonly Omit<OverviewMetric, 'title'>[] }

/** How far to believe the figures: the most severe warning with its rows, what to do about it, and what else it explains. */
export function describeTrust({ level, warnings }: TrustBlock): string {
  const [worst] = warnings
  if (worst === undefined) return level
  if (level === 'comparable') return `${level} (${formatQuantity(warnings.length, 'remark')})`
  const { where, message, advice, effects } = worst
  const texts = [where === 'the row' ? message : `${capitalize(where)}: ${message}`, advice, effects[0]?.message ?? '']
  return [`${trustMarks[level]} ${capitalize(level)}.`, ...texts].filter((text) => text !== '').join(' ')
}

/** How many runs the figures are from, and how to learn how far runs differ: more of the kind that does not compare do not tell. */
export function describeRuns({ spec: { repeat } }: Pick<Result, 'spec'>, trust: TrustBlock | null): string {
  const isEnough = repeat.times >= minRounds || trust?.level === 'do not compare'
  return `${repeat.times} of each row${isEnough ? '' : `: --repeat ${minRounds} shows how far runs differ`}`
}

/** "1805 ops/s", "1.51 ms median response time", "1 error" */
export function formatMetric({ title, value }: OverviewMetric): string {
  if (title === 'Throughput') return value
  const name = `${title.charAt(0).toLowerCase()}${title.slice(1)}`
  return `${value} ${value === '1' ? name.replace(/s$/, '') : name}`
}

export function createOverview(evaluation: Evaluation, { sections }: ReportTree): Overview {
  const { result } = evaluation
  const isRunning = result.status === 'running'
  const finding = computeFinding(evaluation)
  const limitedBy = finding?.limitedBy ?? ''
  return {
    finding,
    limitedBy: limitedBy === '' ? summarizeLimits(evaluation) : limitedBy,
    trust: sections.flatMap(({ blocks }) => blocks).find((block) => block.kind === 'trust') ?? null,
    metrics: createOverviewFigures(evaluation),
    missed: isRunning ? [] : missedThresholds(result).map(describeMissed),
    against: createOverviewRatios(evaluation),
    isRunning,
  }
}

type ShownMetric = { readonly metric: BuiltInMetric; readonly title: string; readonly unit: string }

/** The main measures, each with what replaces it where it is not known: only open loops have response times. Of a search they are those of its answer. */
const shown: readonly (readonly ShownMetric[])[] = [
  [{ metric: 'opsPerSecond', title: 'Throughput', unit: 'ops/s' }],
  [
    { metric: 'responseP50Ms', title: 'Median response time', unit: 'ms' },
    { metric: 'p50Ms', title: 'Median latency', unit: 'ms' },
  ],
  [
    { metric: 'responseP99Ms', title: 'p99 response time', unit: 'ms' },
    { metric: 'p99Ms', title: 'p99 latency', unit: 'ms' },
  ],
  [{ metric: 'longestGapMs', title: 'Longest gap', unit: 'ms' }],
  [{ metric: 'errors', title: 'Errors', unit: '' }],
]

/**
 * Whether the tables have latencies, from when operations were sent, before response times, from when they were due. Two medians of
 * different clocks on one page would contradict each other: the main measures have the clock of the tables.
 */
function beginsWithLatencies({ tables }: Evaluation['spec']): boolean {
  const [first] = tables
    .flatMap(({ columns }) => columns)
    .flatMap((column) => (typeof column === 'string' ? column : 'metric' in column ? column.metric : []))
    .flatMap((address) => /^(response)?(?:mean|min|p\d+|max)Ms$/i.exec(metricIn(address)) ?? [])
  return first !== undefined && !first.startsWith('response')
}

function createOverviewFigures(evaluation: Evaluation): readonly OverviewMetric[] {
  const { result, shape, rows, figure, spec } = evaluation
  const isHidden = beginsWithLatencies(spec) ? /^response/ : /^$/
  const searches = listSearches(result).map(({ label, search }): OverviewMetric => ({
    title: capitalize(searchWords[search.kind].title.toLowerCase()),
    value: formatAnswer(search),
    of: label,
  }))
  const measured = shape.phases.flatMap(({ name: phase, windows }) =>
    shown.flatMap((alternatives) => {
      const known = alternatives
        .map(({ metric, ...text }) => {
          const isOfAnswer = windows === 'steps' && isKnownForWindows(metric)
          const address = createAddress(metric, { kind: 'phase', phase, ...(isOfAnswer && { window: 'found' }) })
          const figures = rows('variants').map((row) => {
            const { cell, trust } = figure(row, address)
            return { row, cell, trust }
          })
          const compared = figures.filter(({ trust }) => trust.level !== 'do not compare')
          return { ...text, address, figures: compared.length === 0 ? figures : compared }
        })
        .find(({ address, figures }) => !isHidden.test(address.metric) && figures.some(({ cell }) => isNumber(cell)))
      return known === undefined ? [] : [describeFigures(known, shape.phases.length > 1 ? phase : '')]
    }),
  )
  return [...searches, ...measured, ...listLostWrites(result)]
}

const describeMissed = (verdict: Verdict): OverviewMetric => ({
  title: 'Threshold missed',
  value: verdict.threshold,
  of: joinNames([verdict.label, valueText(verdict)]),
})

type KnownFigures = {
  readonly title: string
  readonly unit: string
  readonly address: Address
  readonly figures: readonly { readonly row: Row; readonly cell: Cell }[]
}

const joinNames = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')

function describeFigures({ title, unit, address, figures }: KnownFigures, phase: string): OverviewMetric {
  const values = figures.map(({ cell }) => cell).filter(isNumber)
  const { min, max } = computeRange(values)
  const format = (value: number): string => figureText(value, address.column.digits)
  const inUnit = (text: string): string => (unit === '' ? text : `${text} ${unit}`)
  if (format(min) === format(max))
    return { title, value: inUnit(`${format(min)}${missingRate(min, address, figures)}`), of: phase }
  const [a, b, ...others] = figures
  if (a !== undefined && b !== undefined && others.length === 0 && values.length === 2)
    return {
      title,
      value: inUnit(values.map(format).join(' → ')),
      of: joinNames([ratioText(a.row, b.row, address), phase, `${a.row.variant.label} → ${b.row.variant.label}`]),
    }
  return {
    title,
    value: inUnit(`${format(min)} – ${format(max)}`),
    of: joinNames([phase, `lowest to highest of ${values.length} rows`]),
  }
}

/** Throughput below this share of the offered rate is shown with it: operations may be missing at the end of the window. */
const keptUp = 0.99

/** " of 1800" behind the throughput of an open load that did not keep up. Empty: it did, or its rate differs between rows. */
function missingRate(throughput: number, { metric, target }: Address, figures: KnownFigures['figures']): string {
  if (metric !== 'opsPerSecond') return ''
  const phases = figures.flatMap(({ row }) => row.runs.flatMap((run) => run.phases))
  const measured = phases.filter(({ name }) => target?.kind === 'phase' && name === target.phase)
  const [rate, ...others] = distinct(measured.flatMap(({ openLoop }) => openLoop?.ratePerSecond ?? []))
  return rate === undefined || others.length > 0 || throughput >= keptUp * rate ? '' : ` of ${groupDigits(rate)}`
}

/** "ratio 0.973 (0.951 to 0.996)". Empty where it would say nothing, as of errors. */
function ratioText(a: Row, b: Row, address: Address): string {
  const ratio = address.column.better === undefined ? null : ratioCell(b, a, address, whyNotCompared)
  return ratio === null ? '' : `ratio ${ratio}`
}

export const lostWrites = 'Lost writes'

/** Acknowledged writes that were lost, the maximum of all checks that count them. */
function listLostWrites(result: Result): readonly OverviewMetric[] {
  const lost = rowChecks(result).flatMap(({ check }) => check.measures['lost'] ?? [])
  return lost.length === 0 ? [] : [{ title: lostWrites, value: figureText(Math.max(...lost), 0), of: '' }]
}

/** Rows of the overview; the table has all. */
const maxRatios = 6

function createOverviewRatios(evaluation: Evaluation): readonly OverviewRatios[] {
  const { spec, rows, holds } = evaluation
  return spec.tables.flatMap((table) => {
    const against = createAgainst(table, evaluation)
    if (against === null) return []
    const ratios = rows('variants').flatMap((row) => {
      const value = holds(table.where, row) ? against.cell(row) : null
      return value === null || value === 'base' ? [] : [{ value, of: row.variant.label }]
    })
    if (ratios.length === 0) return []
    const left = ratios.length - maxRatios
    const more = left > 0 ? [{ value: '…', of: `${left} more in the table` }] : []
    return [
      {
        title: `${table.title}: ${against.address.column.title} ${against.title}`,
        rows: [...ratios.slice(0, maxRatios), ...more],
      },
    ]
  })
}

/** Whole from 100. */
const figureText = (value: number, digits: number): string => cellText(value, value >= 100 ? 0 : digits)

/** "client CPU (97 %) in 3 of 5 rows; not known in 2 rows" */
function summarizeLimits({ rows: listed, shape }: Evaluation): string {
  const rows = listed('variants')
  const limits = shape.phases.flatMap(({ name: phase }) =>
    rows.flatMap((row) => {
      const cell = computeFigure(row, createAddress('limitedBy', { kind: 'phase', phase }))
      return typeof cell === 'string' ? [cell] : []
    }),
  )
  const [only, ...others] = new Set(limits)
  if (only !== undefined && others.length === 0) return only
  const groups = [...groupBy(limits, (limit) => limit.replace(/ \(.*/, ''))].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )
  return groups.map(([name, same]) => `${name} in ${same.length} of ${limits.length} rows`).join('; ')
}
