import { formatQuantity } from '../../core/quantities.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { chooseBetterLevel, type JudgedRow, getSeverity, findWorstLevel } from '../../metrics/trust/judge.ts'
import { type Note } from '../../metrics/trust/notes.ts'
import { getWarningRank, getWarningWeight, trustLevels, type TrustLevel } from '../../results/warnings/weights.ts'
import { formatAdvice, mergedMessage } from '../prose/merged-message.ts'
import { type MeasuredTable } from '../tables/measured.ts'
import { type TrustBlock, type TrustWarning } from './block.ts'

/** How far the rows of the tables of a report can be believed. Empty without measured rows. */
export function trustBlocks(tables: readonly MeasuredTable[]): readonly TrustBlock[] {
  const judged = tables.filter((table) => table.judged.length > 0)
  if (judged.length === 0) return []
  const warnings = warningsIn(judged)
  const levels = levelsOfRows(judged)
  const causeOf = (warning: ReportWarning): ReportWarning | undefined =>
    warnings.find((cause) => explains(cause, warning))
  const toBlock = (warning: ReportWarning): TrustWarning => ({
    level: warning.level,
    name: nameWarning(warning.notes[0]?.code ?? ''),
    where: whereText(warning.kind, judged),
    message: mergedMessage(warning.notes),
    advice: formatAdvice(warning.notes),
    effects: warnings.filter((other) => causeOf(other) === warning).map(toBlock),
  })
  return [
    {
      kind: 'trust',
      summary: summarizeTrust(levels, warnings),
      level: findWorstLevel(levels),
      warnings: warnings.filter((warning) => causeOf(warning) === undefined).map(toBlock),
    },
  ]
}

function nameWarning(code: string): string {
  const weight = getWarningWeight(code)
  return weight.level === 'remark' ? code.replaceAll('-', ' ') : weight.reason
}

/** One kind of warning, with all its occurrences in the tables of a report. */
type ReportWarning = {
  readonly kind: string
  /** Level of its worst occurrence, but never worse than that of the row: a minority of the runs decides nothing. */
  readonly level: TrustLevel
  readonly notes: readonly Note[]
}

function warningsIn(tables: readonly MeasuredTable[]): readonly ReportWarning[] {
  const notes = tables.flatMap(({ judged }) =>
    judged.flatMap((row) =>
      row.notes.map((note) => ({ ...note, level: chooseBetterLevel(note.level, row.trust.level) })),
    ),
  )
  return [...groupBy(notes, ({ kind }) => kind)]
    .map(([kind, ofKind]) => ({
      kind,
      level: findWorstLevel(ofKind.map(({ level }) => level)),
      notes: distinct(ofKind),
    }))
    .toSorted((one, other) => getSeverity(other.level) - getSeverity(one.level) || rank(one) - rank(other))
}

/** Whether a disturbance from outside was there wherever the other warning is, which it causes. */
function explains(cause: ReportWarning, effect: ReportWarning): boolean {
  const { disturbance } = getWarningWeight(cause.notes[0]?.code ?? '')
  if (cause.level === 'comparable' || disturbance === undefined) return false
  const abouts = new Set(cause.notes.map(({ about }) => about))
  return effect.notes.every((note) => getWarningWeight(note.code).isEffect && abouts.has(note.about))
}

/** A phase is shown by several rows and tables. */
const distinct = (notes: readonly Note[]): readonly Note[] =>
  [...new Map(notes.toReversed().map((note) => [note.about, note])).values()].toReversed()

const rank = ({ notes: [first] }: ReportWarning): number => getWarningRank(first?.code ?? '')

function summarizeTrust(levels: readonly TrustLevel[], warnings: readonly ReportWarning[]): string {
  const counts = trustLevels.flatMap((level) => {
    const count = levels.filter((one) => one === level).length
    return count === 0 ? [] : `${count} ${level}`
  })
  const remarks = warnings.filter(({ level }) => level === 'comparable').length
  const ofRemarks = remarks === 0 ? '' : `; ${formatQuantity(remarks, 'remark')}`
  return `Trust in ${formatQuantity(levels.length, 'row')}: ${counts.join(', ')}${ofRemarks}`
}

/** The level of each row of the first table, and of other tables with rows of that kind. */
function levelsOfRows(tables: readonly MeasuredTable[]): readonly TrustLevel[] {
  const rows = tables.filter(({ kind }) => kind === tables[0]?.kind).flatMap(({ judged }) => judged)
  return [...groupBy(rows, ({ key }) => key).values()].map((same) =>
    findWorstLevel(same.map(({ trust }) => trust.level)),
  )
}

/** "rows 1, 4; 5 of 6 runs" */
function whereText(kind: string, tables: readonly MeasuredTable[]): string {
  const warnedRows = findWarningPlaces(kind, tables)
  // Two tables of different operations may both be concerned as a whole.
  const rows = [...new Set(warnedRows.map((warnedGroup) => rowsText(warnedGroup, tables)))].join(' and ')
  const concerned = warnedRows.flatMap(({ table, indexes }) => indexes.flatMap((index) => table.judged[index] ?? []))
  const all = new Set(concerned.flatMap(({ runs }) => runs))
  const warned = new Set(
    concerned.flatMap(({ notes }) => notes.flatMap((note) => (note.kind === kind ? (note.run ?? []) : []))),
  )
  const areRepeated = concerned.some(({ runs }) => runs.length > 1)
  return areRepeated && warned.size > 0 ? `${rows}; ${warned.size} of ${all.size} runs` : rows
}

type WarnedRows = { readonly table: MeasuredTable; readonly indexes: readonly number[] }

/** The rows that a warning is about, each run and phase in the first table that shows it. */
function findWarningPlaces(kind: string, tables: readonly MeasuredTable[]): readonly WarnedRows[] {
  const covered = new Set<string>()
  return tables.flatMap((table) => {
    const abouts = table.judged.map(({ notes }) => notes.flatMap((note) => (note.kind === kind ? note.about : [])))
    const indexes = abouts.flatMap((about, index) => (about.some((one) => !covered.has(one)) ? index : []))
    for (const about of abouts.flat()) covered.add(about)
    return indexes.length === 0 ? [] : [{ table, indexes }]
  })
}

function rowsText({ table, indexes }: WarnedRows, [first]: readonly MeasuredTable[]): string {
  const rows = formatRowNames(indexes, table.judged.length)
  return first === undefined || haveSameRows(table.judged, first.judged) ? rows : `${rows} of "${table.title}"`
}

function formatRowNames(indexes: readonly number[], all: number): string {
  if (all === 1) return 'the row'
  if (indexes.length === all) return 'all rows'
  return `${indexes.length === 1 ? 'row' : 'rows'} ${findConsecutiveRanges(indexes).map(formatRange).join(', ')}`
}

type Range = readonly [from: number, to: number]

function findConsecutiveRanges(indexes: readonly number[]): readonly Range[] {
  const begins = indexes.filter((index) => !indexes.includes(index - 1))
  const ends = indexes.filter((index) => !indexes.includes(index + 1))
  return begins.map((from, index) => [from, ends[index] ?? from])
}

/** "2 to 5", "1, 2" or "7", from 1. */
function formatRange([from, to]: Range): string {
  if (from === to) return String(from + 1)
  return to === from + 1 ? `${from + 1}, ${to + 1}` : `${from + 1} to ${to + 1}`
}

const haveSameRows = (one: readonly JudgedRow[], other: readonly JudgedRow[]): boolean =>
  one.length === other.length && one.every(({ key }, index) => key === other[index]?.key)
