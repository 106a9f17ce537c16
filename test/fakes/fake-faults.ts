import {
  type Availability,
  type ElectionWatch,
  type FaultOccurrence,
  type FaultResult,
} from '../../src/results/schema/faults.ts'

/** Begins as planned, at once, and is not undone. */
export function fakeOccurrence(atSeconds: number, given: Partial<FaultOccurrence> = {}): FaultOccurrence {
  return {
    plannedAtSeconds: atSeconds,
    beganAtSeconds: atSeconds,
    doneAtSeconds: atSeconds,
    plannedUndoSeconds: null,
    undoneAtSeconds: null,
    targets: ['member0'],
    primaryBefore: 'member0',
    termBefore: 1,
    error: null,
    ...given,
  }
}

/** A fault that lasts. */
export const fakeLasting = (fromSeconds: number, toSeconds: number, given: Partial<FaultOccurrence> = {}) =>
  fakeOccurrence(fromSeconds, { plannedUndoSeconds: toSeconds, undoneAtSeconds: toSeconds, ...given })

export const fakeFault = (name: string, ...occurrences: readonly FaultOccurrence[]): FaultResult => ({
  name,
  kind: name,
  occurrences: [...occurrences],
  notBegun: 0,
})

/** Who called himself primary from a second on, in which term. Null: nobody. */
type Seen = Readonly<Record<number, readonly [member: string | null, term?: number]>>

/** @param rises By how much the rollback ids of members rose. */
export const fakeElections = (seen: Seen, rises: Readonly<Record<string, number>> = {}): ElectionWatch => ({
  primaries: Object.entries(seen)
    .map(([seconds, [member, term = null]]) => ({ atSeconds: Number(seconds), member, term }))
    .toSorted((one, other) => one.atSeconds - other.atSeconds),
  rollbackIds: ['member0', 'member1', 'member2'].map((member) => ({
    member,
    before: 1,
    after: 1 + (rises[member] ?? 0),
  })),
})

export const fakeAvailability = (fault: string, given: Partial<Availability> = {}): Availability => ({
  fault,
  occurrence: 0,
  newPrimaryMs: null,
  longestGapMs: 10,
  firstSuccessMs: 5,
  unavailableSeconds: 0,
  failed: 0,
  unknown: 0,
  errors: [],
  ...given,
})
