import { type Evaluation } from '../../metrics/evaluate.ts'
import { readableNumber } from '../../metrics/format.ts'
import { groupBy, isNumber, median } from '../../metrics/statistics.ts'
import { type VariantResult } from '../../results/schema.ts'
import { type AchievedLinks } from '../../results/schema/servers.ts'
import { createServerNameColumns, type Rows } from '../tables/servers.ts'
import { type PlainColumn, plainTable, withoutEmptyColumns } from '../tables/table.ts'
import { type Block, createListBlocks, tableBlock } from './block.ts'

type Pair = AchievedLinks['pairs'][number]

/** A row of the table: a pair of ends, in rows of the result that requested the same links. */
type Line = {
  readonly rows: Rows
  readonly pair: Pair
  readonly achievedMs: number | null
  readonly lagMs: number | null
}

/** Requested and achieved round-trip times of links. Empty if no link was delayed. */
export function linkBlocks({ result, spec }: Evaluation): readonly Block[] {
  const rows = result.variants.filter((variant) => getLinkPairs(variant).length > 0).toSorted((a, b) => a.row - b.row)
  if (rows.length === 0) return []
  const groups = [...groupBy(rows, (variant) => JSON.stringify(getLinkPairs(variant).map(requested))).values()]
  const others = result.variants.some((variant) => variant.server !== null && getLinkPairs(variant).length === 0)
  const names = groups.length > 1 || others ? createServerNameColumns(groups, result, spec) : []
  const named = names.map(({ title, cell }) => ({ title, cell: (line: Line) => cell(line.rows) }))
  const lines = groups.flatMap(createLinkLines)
  const ofLag = lines.some(({ lagMs }) => lagMs !== null) ? [howLagged] : []
  return [
    tableBlock(withoutEmptyColumns(plainTable('Links', [...named, ...columns], lines))),
    ...createListBlocks([howAchieved, ...ofLag, passing(rows)]),
  ]
}

const getLinks = ({ server }: VariantResult): AchievedLinks | null => server?.links ?? null
const getLinkPairs = (variant: VariantResult): readonly Pair[] => getLinks(variant)?.pairs ?? []
const requested = ({ from, to, rttMs, jitterMs }: Pair): readonly unknown[] => [from, to, rttMs, jitterMs]

/** @param rows Rows that requested the same links. */
function createLinkLines(rows: Rows): readonly Line[] {
  const [first] = rows
  return (first ? getLinkPairs(first) : []).map((pair, index) => ({
    rows,
    pair,
    achievedMs: median(rows.map((variant) => getLinkPairs(variant)[index]?.achievedMs).filter(isNumber)),
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

const columns: readonly PlainColumn<Line>[] = [
  { title: 'From', cell: ({ pair }) => pair.from },
  { title: 'To', cell: ({ pair }) => pair.to },
  { title: 'Requested round trip (ms)', cell: ({ pair }) => requestedText(pair) },
  { title: 'Achieved (ms)', cell: ({ achievedMs }) => achievedMs, digits: 'significant' },
  { title: 'Replication lag (ms)', cell: ({ lagMs }) => lagMs, digits: 'significant' },
]

const requestedText = ({ rttMs, jitterMs }: Pair): string =>
  jitterMs === 0 ? String(rttMs) : `${rttMs} to ${Number((rttMs + jitterMs).toFixed(6))}`

const howAchieved =
  'Achieved: median of pings over the link, minus the median of pings past it, after the servers started.'

const howLagged =
  'Replication lag: how far the secondary at one end was behind the primary at the other at the end of a timed window, median of the windows. The secondary may have copied from another member.'

/** The remark on links without an added delay. */
function passing(rows: Rows): string {
  const tooShort = new Set(rows.flatMap(getLinkPairs).flatMap((pair) => (pair.delayed ? [] : [requestedText(pair)])))
  const what =
    tooShort.size === 0
      ? 'Links that are not listed have no added delay: they cost'
      : `Links of ${[...tooShort].join(', ')} ms have no added delay: they, and links that are not listed, cost`
  const costMs = median(rows.map((variant) => getLinks(variant)?.ownCostMs).filter(isNumber))
  return `${what} what the proxy costs${costMs === null ? '' : `, ${readableNumber(costMs)} ms per round trip`}.`
}
