import { type Result, type VariantResult } from '../results/schema.ts'
import { type AchievedLinks } from '../results/schema/servers.ts'
import { readableNumber } from '../metrics/format.ts'
import { groupBy } from '../metrics/group-by.ts'
import { markdownTable } from './markdown-table.ts'
import { type FullReportSpec } from './report-spec.ts'
import { type Names, namesOf, type Rows } from './servers.ts'
import { isNumber, median } from '../metrics/statistics.ts'

type Pair = AchievedLinks['pairs'][number]

/** A line of the table: a pair of ends, in rows that requested the same links. */
type Line = {
  readonly names: readonly string[]
  readonly pair: Pair
  readonly achievedMs: number | null
  readonly lagMs: number | null
}

/** Requested and achieved round-trip times of links, as Markdown. Empty if no link was delayed. */
export function linksText(result: Result, spec: FullReportSpec): string {
  const rows = result.variants.filter((variant) => pairsOf(variant).length > 0).toSorted((a, b) => a.row - b.row)
  if (rows.length === 0) return ''
  const groups = [...groupBy(rows, (variant) => JSON.stringify(pairsOf(variant).map(requested))).values()]
  const others = result.variants.some((variant) => variant.server !== null && pairsOf(variant).length === 0)
  const names: Names = groups.length > 1 || others ? namesOf(groups, result, spec) : noNames
  const lines = groups.flatMap((group) => linesOf(group, names.cellsOf(group)))
  const remarks = [howAchieved, ...columnsOf(lines).flatMap(({ remark }) => remark ?? []), passing(rows)]
  return [tableOf(lines, names.header), remarks.map((line) => `- ${line}`).join('\n')].join('\n\n')
}

const noNames: Names = { header: [], cellsOf: () => [] }

const linksOf = ({ server }: VariantResult): AchievedLinks | null => server?.links ?? null
const pairsOf = (variant: VariantResult): readonly Pair[] => linksOf(variant)?.pairs ?? []
const requested = ({ from, to, rttMs, jitterMs }: Pair): readonly unknown[] => [from, to, rttMs, jitterMs]

/** @param rows Rows that requested the same links. */
function linesOf(rows: Rows, names: readonly string[]): readonly Line[] {
  const [first] = rows
  return (first ? pairsOf(first) : []).map((pair, index) => ({
    names,
    pair,
    achievedMs: median(rows.map((variant) => pairsOf(variant)[index]?.achievedMs).filter(isNumber)),
    lagMs: median(rows.flatMap((variant) => lagsBetween(pair, variant))),
  }))
}

/** The replication lag of one end behind the other, in each phase in which the other was the primary. */
function lagsBetween({ from, to }: Pair, { phases }: VariantResult): readonly number[] {
  return phases.flatMap(({ members }) => {
    const [one, other] = [from, to].map((name) => members.find(({ member }) => member === name))
    const secondary = one?.role === 'primary' ? other : other?.role === 'primary' ? one : undefined
    return secondary?.totals.replicationLagMs ?? []
  })
}

type Column = {
  readonly title: string
  readonly cell: (line: Line) => string
  /** An explanation below the table. */
  readonly remark?: string
}

const everyColumn: readonly Column[] = [
  { title: 'From', cell: ({ pair }) => pair.from },
  { title: 'To', cell: ({ pair }) => pair.to },
  { title: 'Requested round trip (ms)', cell: ({ pair }) => requestedText(pair) },
  { title: 'Achieved (ms)', cell: ({ achievedMs }) => cellOf(achievedMs) },
  {
    title: 'Replication lag (ms)',
    cell: ({ lagMs }) => cellOf(lagMs),
    remark:
      'Replication lag: how far the secondary at one end was behind the primary at the other at the end of a timed window, median of the windows. The secondary may have copied from another member.',
  },
]

/** The columns that are not empty. */
const columnsOf = (lines: readonly Line[]): readonly Column[] =>
  everyColumn.filter(({ cell }) => lines.some((line) => cell(line) !== ''))

function tableOf(lines: readonly Line[], names: readonly string[]): string {
  const columns = columnsOf(lines)
  return markdownTable(
    [...names, ...columns.map(({ title }) => title)],
    lines.map((line) => [...line.names, ...columns.map(({ cell }) => cell(line))]),
  )
}

const requestedText = ({ rttMs, jitterMs }: Pair): string =>
  jitterMs === 0 ? String(rttMs) : `${rttMs} to ${Number((rttMs + jitterMs).toFixed(6))}`

const cellOf = (value: number | null): string => (value === null ? '' : readableNumber(value))

const howAchieved =
  'Achieved: median of pings over the link, minus the median of pings past it, after the servers started.'

/** The remark on links without an added delay. */
function passing(rows: Rows): string {
  const tooShort = new Set(rows.flatMap(pairsOf).flatMap((pair) => (pair.delayed ? [] : [requestedText(pair)])))
  const what =
    tooShort.size === 0
      ? 'Links that are not listed have no added delay: they cost'
      : `Links of ${[...tooShort].join(', ')} ms have no added delay: they, and links that are not listed, cost`
  const costMs = median(rows.map((variant) => linksOf(variant)?.ownCostMs).filter(isNumber))
  return `${what} what the proxy costs${costMs === null ? '' : `, ${readableNumber(costMs)} ms per round trip`}.`
}
