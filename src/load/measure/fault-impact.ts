import { type Availability } from '../../results/schema/faults.ts'
import { type AvailabilityPart, slotMs } from './availability-record.ts'
import { listErrors, mergeErrors } from './error-counts.ts'

/** Effect on calls from the beginning of a fault until that of the next one. */
export type FaultImpact = Omit<Availability, 'newPrimaryMs'>

/** A fault that began, with the clock's milliseconds. */
export type ActiveFault = { readonly fault: string; readonly beganMs: number }

/** The start and end of a measured window, in the clock's milliseconds. */
export type MeasuredWindow = { readonly startMs: number; readonly endMs: number }

type Gap = { readonly fromMs: number; readonly toMs: number }

const msPerSecond = 1000

/**
 * Computes the cost of faults, in the order in which they began. A gap that reaches over the beginning of a fault
 * counts whole for it, and for the one before up to there: the cost of a delay is not the outage of the kill after it.
 */
export function faultImpacts(
  part: AvailabilityPart,
  faults: readonly ActiveFault[],
  { startMs, endMs }: MeasuredWindow,
): FaultImpact[] {
  if (faults.length === 0) return []
  const slots = [...part.slots].toSorted(([one], [other]) => one - other)
  const gaps = gapsBetween(slots, { startMs, endMs })
  const unavailable = unavailableSeconds(part, faults, { startMs, endMs })
  const slotOf = (ms: number): number => (ms - startMs) / slotMs
  return faults.map(({ fault, beganMs }, index) => {
    const untilMs = faults[index + 1]?.beganMs ?? Infinity
    const touched = gaps.filter(({ fromMs, toMs }) => toMs >= beganMs && fromMs < untilMs)
    const lengths = touched.map(({ fromMs, toMs }) => Math.min(toMs, untilMs) - fromMs)
    const ends = slots.flatMap(([slot, { firstEndMs }]) => (slot >= slotOf(beganMs) ? (firstEndMs ?? []) : []))
    const within = slots.filter(([slot]) => slot >= Math.floor(slotOf(beganMs)) && slot < Math.floor(slotOf(untilMs)))
    const errors = mergeErrors(within.map(([, slot]) => slot.errors))
    const countOf = (outcome: string): number =>
      errors.reduce((sum, error) => sum + (error.outcome === outcome ? error.count : 0), 0)
    return {
      fault,
      occurrence: faults.slice(0, index).filter((earlier) => earlier.fault === fault).length,
      longestGapMs: lengths.length === 0 ? null : max(lengths),
      firstSuccessMs: ends.length === 0 ? null : -max(ends.map((ms) => -ms)) - beganMs,
      unavailableSeconds: unavailable[index] ?? 0,
      failed: countOf('failed'),
      unknown: countOf('unknown'),
      errors: listErrors(errors),
    }
  })
}

/** Finds the maximum of as many values as an hour has slots: too many for the arguments of one call. */
const max = (values: readonly number[]): number => values.reduce((one, other) => Math.max(one, other), -Infinity)

/** From each success to the next one. */
function gapsBetween(
  slots: readonly (readonly [
    number,
    { readonly firstSuccessMs: number | undefined; readonly lastSuccessMs: number | undefined },
  ])[],
  { startMs, endMs }: MeasuredWindow,
): readonly Gap[] {
  const gaps: Gap[] = []
  let lastMs = startMs
  for (const [, { firstSuccessMs, lastSuccessMs }] of slots) {
    if (firstSuccessMs === undefined || lastSuccessMs === undefined) continue
    gaps.push({ fromMs: lastMs, toMs: firstSuccessMs })
    lastMs = lastSuccessMs
  }
  return [...gaps, { fromMs: lastMs, toMs: endMs }]
}

/** For each fault, the whole seconds in which calls were due and none succeeded. A second belongs to the last fault before its end. */
function unavailableSeconds(
  { slots, due }: AvailabilityPart,
  faults: readonly ActiveFault[],
  { startMs, endMs }: MeasuredWindow,
): readonly number[] {
  const counts = faults.map(() => 0)
  const slotsPerSecond = msPerSecond / slotMs
  const succeeded = new Set(
    [...slots].flatMap(([slot, { lastSuccessMs }]) =>
      lastSuccessMs === undefined ? [] : [Math.floor(slot / slotsPerSecond)],
    ),
  )
  for (const second of due) {
    if (succeeded.has(second) || startMs + (second + 1) * msPerSecond > endMs) continue
    const secondEndMs = startMs + (second + 1) * msPerSecond
    const index = faults.findLastIndex(({ beganMs }) => beganMs < secondEndMs)
    if (index >= 0) counts[index] = (counts[index] ?? 0) + 1
  }
  return counts
}
