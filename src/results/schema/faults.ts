import { z } from 'zod'
import { errorCount } from './calls.ts'
import { figure } from './figure.ts'

/** One occurrence of a fault. All seconds are since the beginning of the timed window. */
export const faultOccurrence = z.object({
  /** For a random fault, the kind that was drawn. */
  kind: z.string().optional(),
  plannedAtSeconds: figure,
  /** Time when it actually began, and when it was complete (a process ended, a link cut). */
  beganAtSeconds: figure,
  doneAtSeconds: figure,
  /** Time when it was planned to be undone. Null: it has nothing to undo. */
  plannedUndoSeconds: figure.nullable(),
  /** Time when it actually was undone: the process replies again, the link is open. Null: nothing to undo, or undoing failed. */
  undoneAtSeconds: figure.nullable(),
  /** The affected members; a selector such as "primary" is resolved when the fault begins. */
  targets: z.array(z.string()),
  primaryBefore: z.string().nullable(),
  termBefore: z.int().nullable(),
  /** Why injecting or undoing it failed. */
  error: z.string().nullable(),
})

/** A fault that was injected in a phase, with its occurrences. */
export const faultResult = z.object({
  name: z.string(),
  kind: z.string(),
  occurrences: z.array(faultOccurrence),
  /** Occurrences that were due and did not begin, because the previous one was still in progress when the phase ended. 0 in older results. */
  notBegun: z.int().default(0),
})

/** Availability after one occurrence of a fault: from its beginning until the next fault began, or the window ended. */
export const availability = z.object({
  /** The name of the fault, and which of its occurrences this is, from 0. */
  fault: z.string(),
  occurrence: z.int(),
  /** Until another member, or the same one with a higher term, reported itself as primary. Null: the primary stayed, or none was elected. */
  newPrimaryMs: figure.nullable(),
  /** Longest time without a successful call, also where it began before the fault; it ends where the next fault begins. Null: no call ended in it. */
  longestGapMs: figure.nullable(),
  /** Until the first success of a call that was sent after the fault began. Null: there was none. */
  firstSuccessMs: figure.nullable(),
  /** Whole seconds of the window in which calls were due and none succeeded. */
  unavailableSeconds: z.int(),
  failed: z.int(),
  unknown: z.int(),
  /** Errors of the calls that ended in that time. */
  errors: z.array(errorCount),
})

/** Elections of a set during faults, observed several times a second, past all proxies. */
export const electionWatch = z.object({
  /** The member that reported itself as primary from then on, with its term; null: none did. Paused members report nothing. */
  primaries: z.array(z.object({ atSeconds: figure, member: z.string().nullable(), term: z.int().nullable() })),
  /** Rollback ids of the members before the first fault and after the last one. Null: not reported. A rise is a rollback. */
  rollbackIds: z.array(z.object({ member: z.string(), before: z.int().nullable(), after: z.int().nullable() })),
})

export type FaultOccurrence = z.output<typeof faultOccurrence>
export type FaultResult = z.output<typeof faultResult>
export type ElectionWatch = z.output<typeof electionWatch>
export type Availability = z.output<typeof availability>
