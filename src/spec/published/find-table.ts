import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Path } from '../../core/json.ts'
import { nearest } from '../../core/nearest.ts'
import { shippedPath } from '../../core/package-root.ts'
import { type Finding, oneFinding } from '../../language/issues.ts'
import type { PublishedSpec } from '../../metrics/report-schema.ts'
import { type PublishedCell, type PublishedDocument, plainText, sameText } from './match.ts'

/** The figures that a spec compares its rows with. */
export type PublishedTable = {
  readonly source: PublishedDocument['source']
  readonly section: string
  /** The hardware of the figures, section first. */
  readonly hardware: string
  /** Heading of the figures. */
  readonly column: string
  /** Meaning of the figures, if the heading means something else in this project. */
  readonly meaning: string | null
  readonly rows: readonly PublishedRow[]
}

export type PublishedRow = {
  /** The cells of the key columns, in the order of the spec. */
  readonly keys: readonly PublishedCell[]
  readonly cell: PublishedCell
  /** The cell as a number. Null: an empty cell, or one of text. */
  readonly figure: number | null
  /** CPU usage of the host of the server, in percent of all its cores. Null: not published, or 0 as in runs too short for it. */
  readonly cpuPercent: number | null
  /** Cores of that host. Null: unknown. */
  readonly vCpus: number | null
}

type WithIssues = { readonly issues: readonly Finding[] }

/** The comparisons of the columns next to the figures of a spec. */
export const listAdjacentSpecs = ({ beside = [], ...spec }: PublishedSpec): readonly PublishedSpec[] =>
  beside.map(({ section = spec.section, table = spec.table, ...one }) => {
    const adjacent = { ...spec, section, table, ...one }
    return { ...adjacent, rows: placeKeys(spec, adjacent) }
  })

/** Key columns have the same places in all tables of a section, by headings that may differ. */
function placeKeys(from: PublishedSpec, to: PublishedSpec): PublishedSpec['rows'] {
  const [own, other] = [from, to].map((one) => findByTitle(one, []))
  if (own === undefined || other === undefined || 'issues' in own || 'issues' in other) return to.rows
  return to.rows.map((key) => {
    const place = columnAt(other.table, key.column) < 0 ? columnAt(own.table, key.column) : -1
    return { ...key, column: other.table.columns[place] ?? key.column }
  })
}

/**
 * Finds the published table of a spec, or returns the issues. Paths are those of the report part.
 * @param at Where the column next to the figures is, and may have text. Empty: it has the figures.
 */
export function findTable(spec: PublishedSpec, at: Path = []): PublishedTable | WithIssues {
  const found = findByTitle(spec, at)
  if ('issues' in found) return found
  const { document, section, table } = found
  const issues = columnIssues(spec, table, at)
  if (issues.length > 0) return { issues }
  const cellIn = (row: Table['rows'][number], title: string): PublishedCell => row[columnAt(table, title)] ?? null
  const keysOf = (row: Table['rows'][number]): readonly PublishedCell[] =>
    spec.rows.map(({ column }) => cellIn(row, column))
  return {
    source: document.source,
    section: section.title,
    hardware: `${section.hardware}; ${document.hardware}`,
    column: plainText(spec.column),
    meaning: document.headings[plainText(spec.column)] ?? null,
    rows: table.rows.map((row) => ({
      keys: keysOf(row),
      cell: cellIn(row, spec.column),
      figure: numberIn(cellIn(row, spec.column)),
      cpuPercent: findCpuPercent(keysOf(row), spec, found),
      vCpus: findVirtualCpus(keysOf(row), found),
    })),
  }
}

const cpuColumn = 'CPU Usage (%)'

/** From the table with the CPU usage of the section. It has the same key columns in the same places, by headings that may differ. */
function findCpuPercent(keys: readonly PublishedCell[], spec: PublishedSpec, { section, table }: Found): number | null {
  const usage = section.tables.find((one) => columnAt(one, cpuColumn) >= 0)
  const places = spec.rows.map(({ column }) => columnAt(table, column))
  const row = usage?.rows.find((cells) => places.every((place, index) => cells[place] === keys[index]))
  return usage === undefined ? null : numberIn(row?.[columnAt(usage, cpuColumn)] ?? null) || null
}

/** The cores of the instance that a row is about, else of the one of its section. */
function findVirtualCpus(keys: readonly PublishedCell[], { document, section }: Found): number | null {
  const instances = [...keys.map(String), section.hardware.split(',')[0] ?? '']
  return instances.map((name) => document.vCpus?.[name]).find((cores) => cores !== undefined) ?? null
}

type Section = PublishedDocument['sections'][number]
type Table = Section['tables'][number]
type Found = { readonly document: PublishedDocument; readonly section: Section; readonly table: Table }

function findByTitle({ document: name, section: wanted, table: title }: PublishedSpec, at: Path): Found | WithIssues {
  const document = readDocument(name)
  if (document === undefined)
    return { issues: unknown(['document'], `no published document is called "${name}"`, name, documentNames()) }
  const { sections, source } = document
  const section = withTitle(sections, wanted)
  if (section === undefined)
    return {
      issues: unknown([...at, 'section'], `"${source.title}" has no section "${wanted}"`, wanted, listTitles(sections)),
    }
  const table = withTitle(section.tables, title)
  if (table === undefined)
    return {
      issues: unknown(
        [...at, 'table'],
        `the published section has no table "${title}"`,
        title,
        listTitles(section.tables),
      ),
    }
  return { document, section, table }
}

function columnIssues({ column, rows }: PublishedSpec, table: Table, at: Path): readonly Finding[] {
  const named = (path: Path, title: string): readonly Finding[] =>
    columnAt(table, title) < 0
      ? unknown(path, `the published table has no column "${title}"`, title, table.columns)
      : []
  const holdsText = at.length === 0 && table.rows.some((row) => typeof row[columnAt(table, column)] === 'string')
  return [
    ...named([...at, 'column'], column),
    ...(holdsText ? oneFinding(['published', 'column'], `the published column "${column}" contains text`) : []),
    ...rows.flatMap((key, index) => named(['rows', index, 'column'], key.column)),
  ]
}

const columnAt = ({ columns }: Table, wanted: string): number => columns.findIndex((title) => sameText(title, wanted))

const numberIn = (cell: PublishedCell): number | null => (typeof cell === 'number' ? cell : null)

type Titled = { readonly title: string }

const listTitles = (items: readonly Titled[]): readonly string[] => items.map(({ title }) => title)

const withTitle = <Item extends Titled>(items: readonly Item[], wanted: string): Item | undefined =>
  items.find(({ title }) => sameText(title, wanted))

const unknown = (path: Path, reason: string, wanted: string, known: readonly string[]): readonly Finding[] =>
  oneFinding(['published', ...path], reason, nearest(plainText(wanted), known) ?? null)

const folder = shippedPath('reference')

/** The names of the shipped documents, such as "performance-tables". */
export const documentNames = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))

const known = new Map<string, PublishedDocument>()

/** Reads a document, and caches it because every row of a spec uses it. Undefined if there is none of that name. */
export function readDocument(name: string): PublishedDocument | undefined {
  if (!known.has(name) && documentNames().includes(name)) {
    const text = readFileSync(join(folder, `${name}.json`), 'utf8')
    known.set(name, JSON.parse(text) as PublishedDocument)
  }
  return known.get(name)
}
