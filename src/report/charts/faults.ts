import { type Row } from '../../metrics/rows/rows.ts'
import { computeRange, groupBy, isNumber } from '../../metrics/statistics.ts'
import { type Occurrence, listOccurrences } from '../../results/occurrences.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { type Band, type Picture, type Segment, type Strip } from './picture.ts'
import { barNumber } from './scales.ts'

/** A phase that a chart draws by second, with its row and the label of it. */
export type DrawnPhase = { readonly phase: PhaseResult; readonly row: Row; readonly name: string }

/** Faults of two rows are equal if their beginnings, and their planned ends, differ by at most this. */
const sameWithinSeconds = 1
/** Maximum number of times in the title of a strip. */
const maxTimes = 2
/** More strips would take more room than the plot. */
const maxStrips = 4

/** The primaries of each row, and the faults: as bands if all drawn phases have the same, else beside the primaries. */
export function faultsOver(drawn: readonly DrawnPhase[]): Pick<Picture, 'bands' | 'strips' | 'remark'> {
  const [first, ...others] = drawn.map(({ phase }) => listOccurrences(phase.faults))
  if (first === undefined || drawn.every(({ phase }) => phase.faults.length === 0)) return {}
  const areAlike = others.every((occurrences) => areSame(first, occurrences))
  const strips = createPrimaryStrips(drawn, !areAlike)
  const shown = strips.length > maxStrips ? [] : strips
  if (areAlike) return { ...commonBands(drawn.map(({ phase }) => createFaultBands(phase))), strips: shown }
  return shown.length > 0 ? { strips } : { remark: 'Faults differ from row to row and are not drawn' }
}

/** Gaps of more rows would be a table. */
const maxGaps = 3

/** How long no operation succeeded after a fault: "longest gap 2.31 s (w:1), 11.2 s (w:majority)". Empty where it is not known. */
export function gapsFinding(drawn: readonly DrawnPhase[]): string {
  const gaps = drawn.flatMap(({ phase, name }) => {
    const known = phase.availability.map(({ longestGapMs }) => longestGapMs).filter(isNumber)
    const length = `${barNumber(computeRange(known).max / 1000)} s`
    return known.length === 0 ? [] : [name === '' ? length : `${length} (${name})`]
  })
  return gaps.length === 0 || gaps.length > maxGaps ? '' : `longest gap ${gaps.join(', ')}`
}

/** Bands from the first beginning to the last end, because undoing a fault takes longer in some rows. */
function commonBands(all: readonly (readonly Band[])[]): Pick<Picture, 'bands' | 'remark'> {
  const [first = []] = all
  const bands = first.map(({ label }, index) => {
    const ofRows = all.flatMap((one) => one[index] ?? [])
    const ends = ofRows.map(({ to }) => to)
    const from = Math.min(...ofRows.map((band) => band.from))
    return { label, from, to: ofRows.every(isInstant) ? from : Math.max(...ends), ends }
  })
  const isRagged = bands.some(({ ends, to }) => to - Math.min(...ends) > sameWithinSeconds)
  return {
    bands: bands.map(({ label, from, to }) => ({ label, from, to })),
    ...(isRagged && { remark: 'Bands end where the fault of the last row was undone' }),
  }
}

function createFaultBands({ faults, wallSeconds }: PhaseResult): readonly Band[] {
  const byChance = new Set(faults.flatMap(({ name, kind }) => (kind === 'random' ? name : [])))
  return listOccurrences(faults).map((occurrence) => {
    const { fault, kind, beganAtSeconds } = occurrence
    return {
      label: byChance.has(fault) ? kind : fault,
      from: beganAtSeconds,
      to: computeFaultEnd(occurrence, wallSeconds),
    }
  })
}

/** A fault that could not be undone lasts until the end of the window. */
function computeFaultEnd(
  { beganAtSeconds, plannedUndoSeconds, undoneAtSeconds }: Occurrence,
  wallSeconds: number,
): number {
  if (plannedUndoSeconds === null && undoneAtSeconds === null) return beganAtSeconds
  return Math.max(beganAtSeconds, undoneAtSeconds ?? wallSeconds)
}

const isInstant = ({ from, to }: Band): boolean => from === to

const areSame = (some: readonly Occurrence[], others: readonly Occurrence[]): boolean =>
  some.length === others.length &&
  some.every(({ fault, beganAtSeconds, plannedUndoSeconds }, index) => {
    const other = others[index]
    return (
      other?.fault === fault &&
      isNear(beganAtSeconds, other.beganAtSeconds) &&
      isNear(plannedUndoSeconds ?? Infinity, other.plannedUndoSeconds ?? Infinity)
    )
  })

const isNear = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= sameWithinSeconds

function createPrimaryStrips(drawn: readonly DrawnPhase[], withFaults: boolean): readonly Strip[] {
  const courses = drawn.flatMap(({ phase, name }) => {
    const segments = primariesIn(phase)
    return segments.length === 0 ? [] : [{ name, segments, bands: withFaults ? createFaultBands(phase) : [] }]
  })
  const members = [...new Set(courses.flatMap(({ segments }) => segments.map(({ label }) => label)))].toSorted()
  return courses.map(({ name, segments, bands }) => ({
    title: formatPrimaryTitle(courses.length === 1 ? '' : name, bandsText(bands, maxTimes)),
    bands,
    segments: segments.map((segment) => ({ ...segment, colour: members.indexOf(segment.label) })),
  }))
}

function formatPrimaryTitle(...parts: readonly string[]): string {
  const known = parts.filter((part) => part !== '')
  return known.length === 0 ? 'Primary' : `Primary: ${known.join(' · ')}`
}

/** Segments from each change to the next. The first segment has the primary at the first fault. */
function primariesIn({ faults, elections, wallSeconds }: PhaseResult): readonly Omit<Segment, 'colour'>[] {
  const seen = elections?.primaries ?? []
  const before = { atSeconds: 0, member: listOccurrences(faults)[0]?.primaryBefore ?? null }
  const changes = (seen[0]?.atSeconds ?? 0) > 0 ? [before, ...seen] : seen
  return changes.flatMap(({ atSeconds, member }, index) => {
    const from = Math.max(0, atSeconds)
    const to = Math.min(wallSeconds, changes[index + 1]?.atSeconds ?? wallSeconds)
    return member === null || to <= from ? [] : [{ label: member, from, to }]
  })
}

/** Seconds with at most one decimal. */
export const seconds = (value: number): string => `${Number(value.toFixed(1))}`

/** The times of bands by label. A label with more than `limit` bands shows their number instead. */
export function bandsText(bands: readonly Band[], limit: number): string {
  return [...groupBy(bands, ({ label }) => label)]
    .map(([label, times]) =>
      times.length > limit
        ? `${label} ${times.length} times from ${seconds(times[0]?.from ?? 0)} s`
        : `${label} ${times.map(timeText).join(', ')}`,
    )
    .join('; ')
}

const timeText = ({ from, to }: Band): string =>
  from === to ? `at ${seconds(from)} s` : `from ${seconds(from)} to ${seconds(to)} s`
