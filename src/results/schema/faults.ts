import { z } from 'zod'
import { errorCount } from './calls.ts'
import { count, figure, list, orNull, part, text } from './fields.ts'

export const faultOccurrence = part(
  'One occurrence of a fault. All seconds are since the beginning of the timed window.',
  {
    kind: text.optional().describe('For a random fault, the kind that was drawn.'),
    plannedAtSeconds: figure,
    beganAtSeconds: figure.describe('Time when it actually began.'),
    doneAtSeconds: figure.describe('Time when it was complete (a process ended, a link cut).'),
    plannedUndoSeconds: orNull(figure).describe('Time when it was planned to be undone. Null: it has nothing to undo.'),
    undoneAtSeconds: orNull(figure).describe(
      'Time when it actually was undone: the process replies again, the link is open. Null: nothing to undo, or undoing failed.',
    ),
    targets: list(text).describe('The affected members: "primary" is resolved when the fault begins.'),
    primaryBefore: orNull(text),
    termBefore: orNull(count),
    error: orNull(text).describe('Why injecting or undoing it failed.'),
  },
)

export const faultResult = part('A fault that was injected in a phase, with its occurrences.', {
  name: text,
  kind: text,
  occurrences: list(faultOccurrence),
  notBegun: count
    .default(0)
    .describe(
      'Occurrences that were due and did not begin, because the previous one was still in progress when the phase ended. 0 in older results.',
    ),
})

export const availability = part(
  'Availability after one occurrence of a fault: from its beginning until the next fault began, or the window ended.',
  {
    fault: text.describe('The name of the fault.'),
    occurrence: count.describe('Which of its occurrences this is, from 0.'),
    newPrimaryMs: orNull(figure).describe(
      'Until another member, or the same one with a higher term, reported itself as primary. Null: the primary stayed, or none was elected.',
    ),
    longestGapMs: orNull(figure).describe(
      'Longest time without a successful operation, also where it began before the fault; it ends where the next fault begins. Null: no operation ended in it.',
    ),
    firstSuccessMs: orNull(figure).describe(
      'Until the first success of an operation that was sent after the fault began. Null: there was none.',
    ),
    unavailableSeconds: count.describe('Whole seconds of the window in which operations were due and none succeeded.'),
    failed: count,
    unknown: count,
    errors: list(errorCount).describe('Errors of the operations that ended in that time.'),
  },
)

export const electionWatch = part(
  'Elections of a set during faults, observed several times a second, past all proxies.',
  {
    primaries: list(z.object({ atSeconds: figure, member: orNull(text), term: orNull(count) })).describe(
      'The member that reported itself as primary from then on, with its term; null: none did. Paused members report nothing.',
    ),
    rollbackIds: list(z.object({ member: text, before: orNull(count), after: orNull(count) })).describe(
      'Rollback ids of the members before the first fault and after the last one. Null: not reported. A rise is a rollback.',
    ),
  },
)

export type { Availability, ElectionWatch, FaultOccurrence, FaultResult } from '../result-types.ts'
