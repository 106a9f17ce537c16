import { type AchievedLinks, type Result, type VariantResult } from '../results/schema.ts'
import { readableNumber } from './format.ts'
import { groupBy } from './group-by.ts'
import { markdownTable } from './markdown-table.ts'
import { type FullReportSpec } from './report-spec.ts'
import { type Names, namesOf, type Rows } from './servers.ts'
import { isNumber, median } from './statistics.ts'

type Pair = AchievedLinks['pairs'][number]

/** A line of the table: a pair of ends, in rows that asked for the same links. */
type Line = {
  readonly names: readonly string[]
  readonly pair: Pair
  readonly achievedMs: number | null
  readonly lagMs: number | null
}

/** What was asked of the links of the servers, and what came of it. Empty where nothing was delayed. */
export function linksText(result: Result, spec: FullReportSpec): string {
  const rows = result.variants.filter((variant) => linksOf(variant) !== null).toSorted((a, b) => a.row - b.row)
  if (rows.length === 0) return ''
  const groups = [...groupBy(rows, (variant) => JSON.stringify(pairsOf(variant).map(asked))).values()]
  const others = result.variants.some(({ server }) => server !== null && server.links === null)
  const names: Names = groups.length > 1 || others ? namesOf(groups, result, spec) : noNames
  const lines = groups.flatMap((group) => linesOf(group, names.cellsOf(group)))
  const hasLags = lines.some(({ lagMs }) => lagMs !== null)
  const remarks = [toldBy, passing(rows), ...(hasLags ? [lagRemark] : [])]
  return [tableOf(lines, names.header, hasLags), remarks.map((line) => `- ${line}`).join('\n')].join('\n\n')
}

const noNames: Names = { header: [], cellsOf: () => [] }

const linksOf = ({ server }: VariantResult): AchievedLinks | null => server?.links ?? null
const pairsOf = (variant: VariantResult): readonly Pair[] => linksOf(variant)?.pairs ?? []
const asked = ({ from, to, rttMs, jitterMs }: Pair): readonly unknown[] => [from, to, rttMs, jitterMs]

/** @param rows Which all asked for the same. */
function linesOf(rows: Rows, names: readonly string[]): readonly Line[] {
  const [first] = rows
  return (first ? pairsOf(first) : []).map((pair, index) => ({
    names,
    pair,
    achievedMs: median(rows.map((variant) => pairsOf(variant)[index]?.achievedMs).filter(isNumber)),
    lagMs: median(rows.flatMap((variant) => lagsBetween(pair, variant))),
  }))
}

/** How far one end was behind the other, in each phase in which the other was the primary. */
function lagsBetween({ from, to }: Pair, { phases }: VariantResult): readonly number[] {
  return phases.flatMap(({ members }) => {
    const [one, other] = [from, to].map((name) => members.find(({ member }) => member === name))
    const secondary = one?.role === 'primary' ? other : other?.role === 'primary' ? one : undefined
    return secondary?.totals.replicationLagMs ?? []
  })
}

function tableOf(lines: readonly Line[], names: readonly string[], hasLags: boolean): string {
  const withoutLag = (cells: readonly string[]): readonly string[] => (hasLags ? cells : cells.slice(0, -1))
  const header = [...names, 'From', 'To', 'Asked round trip (ms)', 'Achieved (ms)', 'Told by', 'Replication lag (ms)']
  return markdownTable(
    withoutLag(header),
    lines.map(({ names: first, pair, achievedMs, lagMs }) =>
      withoutLag([...first, pair.from, pair.to, askedText(pair), cellOf(achievedMs), pair.by, cellOf(lagMs)]),
    ),
  )
}

const askedText = ({ rttMs, jitterMs }: Pair): string =>
  jitterMs === 0 ? String(rttMs) : `${rttMs} to ${rttMs + jitterMs}`

const cellOf = (value: number | null): string => (value === null ? '' : readableNumber(value))

const toldBy =
  'Told by ping: median of pings through the proxy of the member, less the median of pings past it. Told by heartbeat: the moving average that the members themselves keep, in whole milliseconds, with the time that the other takes to answer.'

const lagRemark =
  'Replication lag: how far the secondary at one end was behind the primary at the other when a timed window ended, median of the windows. It may copy from another member than the primary.'

/** What is said of all that is not delayed. */
function passing(rows: Rows): string {
  const tooShort = new Set(rows.flatMap(pairsOf).flatMap((pair) => (pair.delayed ? [] : [askedText(pair)])))
  const what =
    tooShort.size === 0
      ? 'Between ends that are not listed nothing is added: they pay'
      : `Nothing is added to links of ${[...tooShort].join(', ')} ms: they, and ends that are not listed, pay`
  const costMs = median(rows.map((variant) => linksOf(variant)?.ownCostMs).filter(isNumber))
  return `${what} what the proxy itself costs${costMs === null ? '' : `, ${readableNumber(costMs)} ms a round trip`}.`
}
