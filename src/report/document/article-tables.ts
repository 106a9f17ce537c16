import { isMetric } from '../../metrics/columns/index.ts'
import type { Evaluation } from '../../metrics/evaluate.ts'
import type { PublishedSpec } from '../../metrics/report-schema.ts'
import { listAdjacentSpecs, readDocument } from '../../spec/published/find-table.ts'
import { type PublishedDocument, plainText, sameText } from '../../spec/published/match.ts'
import { type Table, type TableColumn, withoutEmptyColumns } from '../tables/table.ts'

type PublishedTable = PublishedDocument['sections'][number]['tables'][number]

/** A column of a table with its heading in an article. */
type Chosen = { readonly table: Table; readonly index: number; readonly title: string }

/** The columns of our own in a published table, by their names, with their headings. */
const added = [
  ['limitedBy', 'Limited by'],
  ['factor', '÷ published'],
] as const

/** Maximum number of columns of a table that follows no published one. */
const maxColumns = 7

/**
 * The tables in front of an article: those of the published section with its columns in its order, and at most two of ours
 * in the one that figures are compared with. Without a published section, one table of at most seven columns.
 */
export function createArticleTables({ spec }: Evaluation, tables: readonly Table[]): readonly Table[] {
  const { published } = spec
  const main = tables.find(({ judged }) => judged.length > 0)
  if (main === undefined) return []
  const model = published && findSection(published)
  if (published === undefined || model === undefined) return [chooseColumns(main, narrow(main))]
  return model.tables.flatMap((table) => {
    const isMain = sameText(table.title, published.table)
    const own = tables.find(({ title }) => sameHeading(title, table.title)) ?? (isMain ? main : undefined)
    return own === undefined || own.judged.length === 0
      ? []
      : [likePublished(table, { own, isMain, published, tables })]
  })
}

const findSection = ({ document, section }: PublishedSpec) =>
  readDocument(document)?.sections.find(({ title }) => sameText(title, section))

const sameHeading = (a: string, b: string): boolean => plainText(a).toLowerCase() === plainText(b).toLowerCase()

type Counterpart = {
  readonly own: Table
  readonly isMain: boolean
  readonly published: PublishedSpec
  readonly tables: readonly Table[]
}

/** A published table with our figures. A column that nothing was measured for stays empty. */
function likePublished({ title, columns }: PublishedTable, { own, isMain, published, tables }: Counterpart): Table {
  const alike = [own, ...tables.filter((table) => table !== own && hasSameRows(table, own))]
  const chosen = columns.map((heading, index): Chosen => {
    const beside = findMetric(heading, title, published)
    const found =
      (beside === undefined ? undefined : choose(alike, heading, ({ name }) => name === beside)) ??
      choose(alike, heading, (column) => sameHeading(column.title, heading)) ??
      (index < published.rows.length && !isMetric(lastName(own.columns[index]?.name ?? ''))
        ? { table: own, index, title: plainText(heading) }
        : undefined)
    return found ?? { table: own, index: -1, title: plainText(heading) }
  })
  const ours = isMain
    ? added.flatMap(([name, heading]) => choose(alike, heading, (column) => lastName(column.name) === name) ?? [])
    : []
  return { ...chooseColumns(own, [...chosen, ...ours]), title: plainText(title) }
}

const lastName = (address: string): string => address.slice(address.lastIndexOf('.') + 1)

/** Tables over the same rows of a result, so that a column of one can stand in the other. */
export const hasSameRows = (one: Table, other: Table): boolean =>
  !one.isTransposed && String(one.judged.map(({ key }) => key)) === String(other.judged.map(({ key }) => key))

/** @param heading Null: that of the column itself. */
function choose(
  tables: readonly Table[],
  heading: string | null,
  isWanted: (column: TableColumn) => boolean,
): Chosen | undefined {
  for (const table of tables) {
    const index = table.columns.findIndex(isWanted)
    if (index >= 0) return { table, index, title: plainText(heading ?? table.columns[index]?.title ?? '') }
  }
  return undefined
}

/** The metric that a spec compares a published column with. */
const findMetric = (heading: string, title: string, published: PublishedSpec): string | undefined =>
  [published, ...listAdjacentSpecs(published)].find(
    ({ table, column }) => sameText(table, title) && sameText(column, heading),
  )?.metric

function chooseColumns(own: Table, chosen: readonly Chosen[]): Table {
  return {
    ...own,
    columns: chosen.map(
      ({ table, index, title }) =>
        ({ ...(table.columns[index] ?? { name: title, unit: '', digits: null }), title }) satisfies TableColumn,
    ),
    rows: own.rows.map((_, row) => ({
      cells: chosen.map(({ table, index }) => table.rows[row]?.cells[index] ?? null),
    })),
    remarks: [],
    isWhole: true,
  }
}

/** Figures that people read first: throughput, the usual latencies, and what limits or costs it. */
const useful = /PerSecond$|^(?:limitedBy|p50Ms|p99Ms|responseP50Ms|responseP99Ms|serverCpuUsPerOperation|errors)$/

const rank = (name: string): number => (isMetric(name) ? (useful.test(name) ? 1 : 2) : 0)

/** The columns of a table that distinguish its rows, then those that people read first, in their order. */
function narrow(table: Table): readonly Chosen[] {
  if (table.isTransposed) return table.columns.map(({ title }, index) => ({ table, index, title }))
  const all = table.columns.map((column, index) => ({ table, index, title: column.title, name: lastName(column.name) }))
  // An interval has the name of its figure.
  const figures = all.filter(({ name, index }) => all.findIndex((one) => one.name === name) === index)
  const kept = figures.toSorted((a, b) => rank(a.name) - rank(b.name)).slice(0, maxColumns)
  return kept.toSorted((a, b) => a.index - b.index)
}

/** Figures behind those in front, by their names: what was published, how sure a ratio is, and what an operation costs. */
const behind: readonly string[] = [
  'published',
  'measuredRatio',
  'interval',
  'publishedVerdict',
  'published serverLatencyMs',
  'published pagesReadPerSecond',
  'p99Ms',
  'measuredCpuUs',
  'publishedCpuUs',
]

/** The figures behind those of tables in front, over the rows of the first, as one table or none. */
export function createTableBehind(front: readonly Table[], tables: readonly Table[]): readonly Table[] {
  const [main] = front
  if (main === undefined) return []
  const alike = tables.filter((table) => hasSameRows(table, main))
  const shown = new Set(front.flatMap(({ columns }) => columns.map(({ name }) => lastName(name))))
  const keys = main.columns.flatMap(({ name, title }, index) =>
    isMetric(lastName(name)) || added.some(([own]) => own === name) ? [] : { table: main, index, title },
  )
  // Pages per operation follow from those per second.
  const figures = [...behind, ...(shown.has('pagesReadPerSecond') ? [] : ['pagesReadPerOperation'])]
    .filter((wanted) => !shown.has(wanted))
    .flatMap((wanted) => choose(alike, null, ({ name }) => lastName(name) === wanted) ?? [])
  const table = withoutEmptyColumns({ ...chooseColumns(main, [...keys, ...figures]), isWhole: false })
  return figures.length === 0 ? [] : [table]
}
