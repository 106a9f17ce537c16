import { z } from 'zod'
import { errorCount } from './calls.ts'

/** One time that a fault happened. All seconds are since the beginning of the timed window. */
export const faultOccurrence = z.object({
  /** Of a fault by chance, what was drawn. */
  kind: z.string().optional(),
  plannedAtSeconds: z.number(),
  /** When it really began, and when it was complete (a process gone, a link cut). */
  beganAtSeconds: z.number(),
  doneAtSeconds: z.number(),
  /** When it was to be undone. Null: it has nothing to undo. */
  plannedUndoSeconds: z.number().nullable(),
  /** When it really was undone: the process answers again, the link is open. Null: nothing to undo, or it failed. */
  undoneAtSeconds: z.number().nullable(),
  /** The members that it met, as they were when it began: a "primary" is resolved then. */
  targets: z.array(z.string()),
  primaryBefore: z.string().nullable(),
  termBefore: z.int().nullable(),
  /** Why it, or its undoing, did not work. */
  error: z.string().nullable(),
})

/** What was done to the servers on purpose, in a phase. */
export const faultResult = z.object({
  name: z.string(),
  kind: z.string(),
  occurrences: z.array(faultOccurrence),
  /** How often it was due and did not begin: the one before was still being done or undone when the phase ended. Older results say 0. */
  notBegun: z.int().default(0),
})

/** What one occurrence of a fault cost: from its beginning until the next fault began, or the window ended. */
export const availability = z.object({
  /** The name of the fault, and which of its occurrences this is, from 0. */
  fault: z.string(),
  occurrence: z.int(),
  /** Until another member, or the same one with a higher term, called itself primary. Null: the primary stayed, or nobody was elected. */
  newPrimaryMs: z.number().nullable(),
  /** Longest time without a successful call, also where it began before the fault; it ends where the next fault begins. Null: no call ended in it. */
  longestGapMs: z.number().nullable(),
  /** Until the first success of a call that was sent after the fault began. Null: there was none. */
  firstSuccessMs: z.number().nullable(),
  /** Whole seconds of the window in which calls were due and none succeeded. */
  unavailableSeconds: z.int(),
  failed: z.int(),
  unknown: z.int(),
  /** Of the calls that ended in that time. */
  errors: z.array(errorCount),
})

/** What was seen of a set while faults happened: asked several times a second, past all proxies. */
export const electionWatch = z.object({
  /** Who called itself primary from then on, with its term; null: nobody did. Members that are paused say nothing. */
  primaries: z.array(z.object({ atSeconds: z.number(), member: z.string().nullable(), term: z.int().nullable() })),
  /** Rollback ids of the members before the first fault and after the last one. Null: it gave none. A rise is a rollback. */
  rollbackIds: z.array(z.object({ member: z.string(), before: z.int().nullable(), after: z.int().nullable() })),
})

export type FaultOccurrence = z.output<typeof faultOccurrence>
export type FaultResult = z.output<typeof faultResult>
export type ElectionWatch = z.output<typeof electionWatch>
export type Availability = z.output<typeof availability>
