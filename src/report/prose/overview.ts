import { createAddress } from '../../metrics/address.ts'
import { createAgainst } from '../../metrics/against.ts'
import { type BuiltInMetric } from '../../metrics/columns/index.ts'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { cellText } from '../../metrics/format.ts'
import { computeFigure } from '../../metrics/rows/rows.ts'
import { groupBy, isNumber, computeRange } from '../../metrics/statistics.ts'
import { type ReportTree, type TrustBlock } from '../blocks/block.ts'
import { computeFinding } from './finding.ts'

/** Overview that a reader should know first: what was found, how far to believe it, and what limited it. */
export type Overview = {
  readonly finding: { readonly text: string; readonly ratio: string } | null
  readonly limitedBy: string
  readonly trust: TrustBlock | null
  readonly metrics: readonly OverviewMetric[]
  readonly against: readonly OverviewRatios[]
  /** The run goes on: what is missing may still come. */
  readonly isRunning: boolean
}

/** A main figure of a result: of one row, or from the lowest to the highest row. */
type OverviewMetric = { readonly title: string; readonly value: string; readonly of: string }

/** Ratios of rows to the base row of a table. */
export type OverviewRatios = { readonly title: string; readonly rows: readonly Omit<OverviewMetric, 'title'>[] }

/** The overview of a result and its report. */
export function createOverview(evaluation: Evaluation, { sections }: ReportTree): Overview {
  const finding = computeFinding(evaluation)
  const limitedBy = finding?.limitedBy ?? ''
  return {
    finding,
    limitedBy: limitedBy === '' ? summarizeLimits(evaluation) : limitedBy,
    trust: sections.flatMap(({ blocks }) => blocks).find((block) => block.kind === 'trust') ?? null,
    metrics: createOverviewFigures(evaluation),
    against: createOverviewRatios(evaluation),
    isRunning: evaluation.result.status === 'running',
  }
}

type ShownMetric = { readonly metric: BuiltInMetric; readonly title: string; readonly unit: string }

/** The main measures, each with what replaces it where it is not known: only open loops have response times. */
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
  [{ metric: 'errors', title: 'Errors', unit: '' }],
]

function createOverviewFigures({ rows: listed, shape, figure }: Evaluation): readonly OverviewMetric[] {
  const rows = listed('variants')
  const { phases } = shape
  return phases.flatMap(({ name: phase }) =>
    shown.flatMap((alternatives) => {
      const known = alternatives
        .map(({ metric, ...text }) => {
          const address = createAddress(metric, { kind: 'phase', phase })
          const figures = rows.map((row) => figure(row, address))
          const compared = figures.filter(({ trust }) => trust.level !== 'do not compare')
          const shownFigures = compared.length === 0 ? figures : compared
          return { ...text, address, values: shownFigures.map(({ cell }) => cell).filter(isNumber) }
        })
        .find(({ values }) => values.length > 0)
      if (known === undefined) return []
      const { title, unit, address, values } = known
      const { min, max } = computeRange(values)
      const [low, high] = [min, max].map((value) => thousands(value, address.column.digits))
      const range = low === high ? (low ?? '') : `${low} – ${high}`
      const of = [phases.length > 1 ? phase : '', low === high ? '' : `lowest to highest of ${values.length} rows`]
      return [
        { title, value: unit === '' ? range : `${range} ${unit}`, of: of.filter((part) => part !== '').join(', ') },
      ]
    }),
  )
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

const thousands = (value: number, digits: number): string =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : cellText(value, value >= 100 ? 0 : digits)

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
