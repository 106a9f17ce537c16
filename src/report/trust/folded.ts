import { rankOf, trustLevels, type TrustLevel } from '../../results/warning-weights.ts'
import { groupBy } from '../group-by.ts'
import { escapeText } from '../markdown-table.ts'
import { type Note } from '../notes.ts'
import { type Table } from '../tables.ts'
import { type JudgedRow, severityOf, worstOf } from './judge.ts'
import { mergedText } from './merged-message.ts'

/** The warnings about the rows of a section as Markdown, folded under one line that counts them. Empty if there are none. */
export function foldedWarnings(tables: readonly Table[]): string {
  const judged = tables.filter((table) => table.judged.length > 0)
  const warnings = warningsIn(judged)
  if (warnings.length === 0) return ''
  const lines = warnings.map((warning) => `- ${escapeText(lineOf(warning, judged))}`)
  return ['<details>', `<summary>${summaryOf(judged, warnings)}</summary>`, '', ...lines, '', '</details>'].join('\n')
}

/** One kind of warning, with all its occurrences in the tables of a section. */
type SectionWarning = {
  readonly kind: string
  /** That of its worst occurrence. */
  readonly level: TrustLevel
  readonly notes: readonly Note[]
}

function warningsIn(tables: readonly Table[]): readonly SectionWarning[] {
  const notes = tables.flatMap(({ judged }) => judged.flatMap((row) => row.notes))
  return [...groupBy(notes, ({ kind }) => kind)]
    .map(([kind, ofKind]) => ({ kind, level: worstOf(ofKind.map(({ level }) => level)), notes: distinct(ofKind) }))
    .toSorted((one, other) => severityOf(other.level) - severityOf(one.level) || rank(one) - rank(other))
}

/** A phase is shown by several rows and tables. */
const distinct = (notes: readonly Note[]): readonly Note[] =>
  [...new Map(notes.toReversed().map((note) => [note.about, note])).values()].toReversed()

const rank = ({ notes: [first] }: SectionWarning): number => rankOf(first?.code ?? '')

function summaryOf(tables: readonly Table[], warnings: readonly SectionWarning[]): string {
  const levels = levelsOfRows(tables)
  const counts = trustLevels.flatMap((level) => {
    const count = levels.filter((one) => one === level).length
    return count === 0 ? [] : `${count} ${level}`
  })
  const remarks = warnings.filter(({ level }) => level === 'comparable').length
  const ofRemarks = remarks === 0 ? '' : `; ${counted(remarks, 'remark')}`
  return `Trust in ${counted(levels.length, 'row')}: ${counts.join(', ')}${ofRemarks}`
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** The level of each row of the first table, and of other tables with rows of that kind. */
function levelsOfRows(tables: readonly Table[]): readonly TrustLevel[] {
  const rows = tables.filter(({ kind }) => kind === tables[0]?.kind).flatMap(({ judged }) => judged)
  return [...groupBy(rows, ({ key }) => key).values()].map((same) => worstOf(same.map(({ trust }) => trust.level)))
}

function lineOf({ kind, level, notes }: SectionWarning, tables: readonly Table[]): string {
  const label = level === 'comparable' ? 'Remark' : `**${level[0]?.toUpperCase()}${level.slice(1)}**`
  return `${label} (${whereText(kind, tables)}): ${mergedText(notes)}`
}

/** "rows 1, 4; 5 of 6 runs" */
function whereText(kind: string, tables: readonly Table[]): string {
  const places = placesOf(kind, tables)
  const rows = places.map((place) => rowsText(place, tables)).join(' and ')
  const concerned = places.flatMap(({ table, indexes }) => indexes.flatMap((index) => table.judged[index] ?? []))
  const all = new Set(concerned.flatMap(({ runs }) => runs))
  const warned = new Set(
    concerned.flatMap(({ notes }) => notes.flatMap((note) => (note.kind === kind ? (note.run ?? []) : []))),
  )
  const areRepeated = concerned.some(({ runs }) => runs.length > 1)
  return areRepeated && warned.size > 0 ? `${rows}; ${warned.size} of ${all.size} runs` : rows
}

/** Rows of a table that a warning is about. */
type Place = { readonly table: Table; readonly indexes: readonly number[] }

/** The rows that a warning is about, each run and phase in the first table that shows it. */
function placesOf(kind: string, tables: readonly Table[]): readonly Place[] {
  const covered = new Set<string>()
  return tables.flatMap((table) => {
    const abouts = table.judged.map(({ notes }) => notes.flatMap((note) => (note.kind === kind ? note.about : [])))
    const indexes = abouts.flatMap((about, index) => (about.some((one) => !covered.has(one)) ? index : []))
    for (const about of abouts.flat()) covered.add(about)
    return indexes.length === 0 ? [] : [{ table, indexes }]
  })
}

function rowsText({ table, indexes }: Place, [first]: readonly Table[]): string {
  const numbers = indexes.map((index) => index + 1)
  const { length } = table.judged
  const rows =
    length === 1
      ? 'the row'
      : indexes.length === length
        ? 'all rows'
        : `${numbers.length === 1 ? 'row' : 'rows'} ${numbers.join(', ')}`
  return first === undefined || haveSameRows(table.judged, first.judged) ? rows : `${rows} of "${table.title}"`
}

const haveSameRows = (one: readonly JudgedRow[], other: readonly JudgedRow[]): boolean =>
  one.length === other.length && one.every(({ key }, index) => key === other[index]?.key)
