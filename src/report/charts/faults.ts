import { type Occurrence, occurrencesOf } from '../../results/occurrences.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { bandsText } from './band-text.ts'
import { type Band, type Picture, type Segment, type Strip } from './picture.ts'

/** A phase whose seconds a chart draws, and what its row is called there. */
export type DrawnPhase = { readonly phase: PhaseResult; readonly name: string }

/** Faults of two rows count as the same when their times differ by no more than this. */
const sameWithinSeconds = 1
/** In the title of a strip. */
const mostTimes = 2
/** More would take more room than the plot. */
const mostStrips = 4

/** Who was primary in each row, and the faults: as bands where they are those of all that is drawn, else beside the primaries. */
export function faultsOver(drawn: readonly DrawnPhase[]): Pick<Picture, 'bands' | 'strips' | 'remark'> {
  const [first, ...others] = drawn.map(({ phase }) => bandsOf(phase))
  if (first === undefined || drawn.every(({ phase }) => phase.faults.length === 0)) return {}
  const areAlike = others.every((bands) => areSame(first, bands))
  const strips = stripsOf(drawn, !areAlike)
  const shown = strips.length > mostStrips ? [] : strips
  if (areAlike) return { bands: first, strips: shown }
  return shown.length > 0 ? { strips } : { remark: 'Faults differ from row to row and are not drawn' }
}

const bandsOf = ({ faults, wallSeconds }: PhaseResult): readonly Band[] =>
  occurrencesOf(faults).map((occurrence) => {
    const { fault, beganAtSeconds } = occurrence
    return { label: fault, from: beganAtSeconds, to: endOf(occurrence, wallSeconds) }
  })

/** What could not be undone lasted. */
function endOf({ beganAtSeconds, plannedUndoSeconds, undoneAtSeconds }: Occurrence, wallSeconds: number): number {
  if (plannedUndoSeconds === null && undoneAtSeconds === null) return beganAtSeconds
  return Math.max(beganAtSeconds, undoneAtSeconds ?? wallSeconds)
}

const areSame = (some: readonly Band[], others: readonly Band[]): boolean =>
  some.length === others.length &&
  some.every(({ label, from, to }, index) => {
    const other = others[index]
    return other?.label === label && isNear(from, other.from) && isNear(to, other.to)
  })

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= sameWithinSeconds

function stripsOf(drawn: readonly DrawnPhase[], withFaults: boolean): readonly Strip[] {
  const courses = drawn.flatMap(({ phase, name }) => {
    const segments = primariesIn(phase)
    return segments.length === 0 ? [] : [{ name, segments, bands: withFaults ? bandsOf(phase) : [] }]
  })
  const members = [...new Set(courses.flatMap(({ segments }) => segments.map(({ label }) => label)))].toSorted()
  return courses.map(({ name, segments, bands }) => ({
    title: titleOf(courses.length === 1 ? '' : name, bandsText(bands, mostTimes)),
    bands,
    segments: segments.map((segment) => ({ ...segment, colour: members.indexOf(segment.label) })),
  }))
}

function titleOf(...parts: readonly string[]): string {
  const told = parts.filter((part) => part !== '')
  return told.length === 0 ? 'Primary' : `Primary: ${told.join(' · ')}`
}

/** From each change to the next one. Before the first one the primary was the one that the first fault found. */
function primariesIn({ faults, elections, wallSeconds }: PhaseResult): readonly Omit<Segment, 'colour'>[] {
  const seen = elections?.primaries ?? []
  const before = { atSeconds: 0, member: occurrencesOf(faults)[0]?.primaryBefore ?? null }
  const changes = (seen[0]?.atSeconds ?? 0) > 0 ? [before, ...seen] : seen
  return changes.flatMap(({ atSeconds, member }, index) => {
    const from = Math.max(0, atSeconds)
    const to = Math.min(wallSeconds, changes[index + 1]?.atSeconds ?? wallSeconds)
    return member === null || to <= from ? [] : [{ label: member, from, to }]
  })
}
