import { type Occurrence, listOccurrences } from '../../results/occurrences.ts'
import { type PhaseResult } from '../../results/schema.ts'
import { type Availability, type ElectionWatch } from '../../results/schema/faults.ts'
import { type FaultImpact } from './fault-impact.ts'

/** Computes the effect on calls and elections, fault by fault. */
export function computeAvailability(
  calls: readonly FaultImpact[],
  { faults, elections }: Pick<PhaseResult, 'faults' | 'elections'>,
): Availability[] {
  const occurrences = listOccurrences(faults)
  return calls.map((call) => {
    const found = occurrences.find(({ fault, occurrence }) => fault === call.fault && occurrence === call.occurrence)
    return { ...call, newPrimaryMs: found === undefined ? null : newPrimaryMs(found, elections) }
  })
}

/** A server's silence is dated to the question that it did not answer: up to so long before the fault that silenced it. */
const datedBeforeSeconds = 0.25

/**
 * From the beginning of a fault until another member, or the same one with a higher term, called itself primary. Null: the
 * primary stayed, or none was elected. An election belongs to the fault that came last before the primary was gone.
 */
function newPrimaryMs(
  { beganAtSeconds, untilSeconds, termBefore, ...fault }: Occurrence,
  elections: ElectionWatch | null,
): number | null {
  const seen = elections?.primaries.filter(({ atSeconds }) => atSeconds >= beganAtSeconds - datedBeforeSeconds) ?? []
  const lastNamed = elections?.primaries.findLast(
    ({ atSeconds, member }) => member !== null && atSeconds < beganAtSeconds,
  )
  // One that was silent for a moment, just then, is no new one when it answers again.
  const primaryBefore = fault.primaryBefore ?? lastNamed?.member ?? null
  const isNew = ({ atSeconds, member, term }: (typeof seen)[number]): boolean =>
    atSeconds >= beganAtSeconds &&
    member !== null &&
    (member !== primaryBefore || (term !== null && termBefore !== null && term > termBefore))
  const elected = seen.find(isNew)
  if (elected === undefined) return null
  const before = seen.slice(0, seen.indexOf(elected))
  // A primary that was silent for a moment was not gone.
  const gone = seen[before.findLastIndex(({ member }) => member !== null) + 1] ?? elected
  if (gone.atSeconds >= untilSeconds - datedBeforeSeconds) return null
  return (elected.atSeconds - beganAtSeconds) * 1000
}
