import {
  getWarningRank,
  getWarningWeight,
  trustLevels,
  type TrustLevel,
  type Weight,
} from '../../results/warnings/weights.ts'
import { type Address } from '../address.ts'
import { numberText } from '../format.ts'
import { type Row } from '../rows/rows.ts'
import { findMiddle } from '../statistics.ts'
import { type Note, collectTrustNotes, runName } from './notes.ts'

/** How far the figures of a row can be believed, and why not further. */
export type Trust = {
  readonly level: TrustLevel
  /** "client 96 %". Null: nothing speaks against a comparison. */
  readonly reason: string | null
}

/** Findings on how far the figures of a row of a table can be believed. */
export type JudgedRow = {
  /** Equal for rows that show the same part of a result. */
  readonly key: string
  readonly trust: Trust
  readonly runs: readonly string[]
  /** Notes of every run, so that one kind may occur several times. */
  readonly notes: readonly Note[]
}

/**
 * Judges a row by its runs: the level of most of them, never of the worst.
 * @param phases Phases that its cells show. Null: all.
 */
export function judge(row: Row, phases: ReadonlySet<string> | null = null): JudgedRow {
  const { variant, target, member, fault, ofWindows = null, kind } = row
  const runs = row.runs.map(runName)
  const notes = collectTrustNotes(row, phases)
  const key = JSON.stringify([variant.row, target, member, fault, ofWindows, kind === 'runs' ? variant.run : null])
  return { key, trust: trustIn(runs, notes), runs, notes }
}

/** How far one figure of a row can be believed. */
export const judgeFigure = (row: Row, address: Pick<Address, 'target'>): Trust => judgeRowFor(address, row).trust

const judgeRowFor = ({ target }: Pick<Address, 'target'>, row: Row): JudgedRow =>
  judge(row, target === null || target.kind === 'check' ? null : new Set([target.phase]))

/** Objections to a comparison of a figure with the same figure of another side. Null: none. */
export type Objections = {
  /** Property that the row does not show, such as "not cached". */
  readonly fault: string | null
  /** Disturbance from outside, which hits sides that take turns alike. */
  readonly disturbance: string | null
}

/** Judges a figure of repeated runs for a comparison with another side: what their interval contains in any case is no objection. */
export function judgeForSides(row: Row, address: Pick<Address, 'target'>): Objections {
  const { runs, notes } = judgeRowFor(address, row)
  const notesWith = (harmless: Weight['harmless']): readonly Note[] =>
    notes.filter(({ code }) => getWarningWeight(code).harmless === harmless)
  const { level, reason } = trustIn(runs, notesWith(undefined))
  return {
    fault: level === 'do not compare' ? reason : null,
    disturbance: describeDisturbance(runs, notesWith('in turns')),
  }
}

/** Finds what disturbed most runs of a row from outside: "other programs used 83 % of the CPU". Null: nothing. */
export function findDisturbance(row: Row, place: Pick<Address, 'target'>): string | null {
  const { runs, notes } = judgeRowFor(place, row)
  const disturbing = notes.filter(({ code }) => getWarningWeight(code).disturbance !== undefined)
  return describeDisturbance(runs, disturbing)
}

function describeDisturbance(runs: readonly string[], notes: readonly Note[]): string | null {
  if (trustIn(runs, notes).level !== 'do not compare') return null
  const { worst, share } = findReason(notes)
  return getWarningWeight(worst?.code ?? '').disturbance?.(percentText(share ?? 0)) ?? null
}

/** Why the figures of a row are to be left out of comparisons. Null: they are not. */
export function whyNotCompared(row: Row, address: Pick<Address, 'target'>): string | null {
  const { level, reason } = judgeFigure(row, address)
  return level === 'do not compare' ? `${row.variant.label || 'the row'}: ${reason}` : null
}

/** Judges rows whose cells one row of a table shows side by side: none of them may be left out of a comparison. */
export function judgeTogether(rows: readonly JudgedRow[]): JudgedRow {
  const [worst, second] = rows.toSorted((one, other) => getSeverity(other.trust.level) - getSeverity(one.trust.level))
  if (worst !== undefined && second === undefined) return worst
  return {
    key: JSON.stringify(rows.map(({ key }) => key)),
    trust: worst?.trust ?? { level: 'comparable', reason: null },
    runs: rows.flatMap(({ runs }) => runs),
    notes: rows.flatMap(({ notes }) => notes),
  }
}

/** The position of a level: the worst has the highest. */
export const getSeverity = (level: TrustLevel): number => trustLevels.indexOf(level)

export const findWorstLevel = (levels: readonly TrustLevel[]): TrustLevel =>
  trustLevels[Math.max(0, ...levels.map(getSeverity))] ?? 'comparable'

export const chooseBetterLevel = (one: TrustLevel, other: TrustLevel): TrustLevel =>
  getSeverity(one) < getSeverity(other) ? one : other

/** Trust as a cell: "lower bound (client 96 %)". */
export const trustText = ({ level, reason }: Trust): string => (reason === null ? level : `${level} (${reason})`)

function trustIn(runs: readonly string[], notes: readonly Note[]): Trust {
  const levels = runs.map((run) => findWorstLevel(notes.filter((note) => note.run === run).map(({ level }) => level)))
  const level = findMajorityLevel(levels)
  const deciding = notes.filter(
    (note) => note.level === level && note.run !== null && levels[runs.indexOf(note.run)] === level,
  )
  return { level, reason: level === 'comparable' ? null : summarizeReason(deciding) }
}

/** The middle one, and of two middle ones the better: no more than half of the runs are worse. */
function findMajorityLevel(levels: readonly TrustLevel[]): TrustLevel {
  const sorted = levels.toSorted((one, other) => getSeverity(one) - getSeverity(other))
  return findMiddle(sorted) ?? 'comparable'
}

const percentText = (share: number): string => `${numberText(share * 100, 0)} %`

/** The worst reason, with the middle one of its shares. */
function summarizeReason(deciding: readonly Note[]): string {
  const { worst, share } = findReason(deciding)
  const reason = worst?.reason ?? ''
  return share === undefined ? reason : `${reason} ${percentText(share)}`
}

function findReason(notes: readonly Note[]): { readonly worst: Note | undefined; readonly share: number | undefined } {
  const [worst] = notes.toSorted((one, other) => getWarningRank(one.code) - getWarningRank(other.code))
  const shares = notes.flatMap((note) => (note.reason === worst?.reason ? (note.share ?? []) : []))
  return { worst, share: findMiddle(shares.toSorted((one, other) => one - other)) }
}
