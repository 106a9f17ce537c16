import { count, figure, flag, list, nullByDefault, orNull, part, text } from './fields.ts'

export const explain = part('Summary of `explain` for a few calls of an operation, sent after the window.', {
  calls: count.describe('Number of explained calls.'),
  plans: list(text).describe('Winning plans, each once, from the index or collection up: "IXSCAN customer_1 → FETCH".'),
  indexes: list(text),
  usesIndex: orNull(flag).describe(
    'True: every call used an index, and none scanned a collection. Null: neither applies, or no plan is known.',
  ),
  keysExamined: orNull(figure).describe('Median of the calls. Null: not known.'),
  docsExamined: orNull(figure).describe('Median of the calls. Null: not known.'),
  docsReturned: orNull(figure).describe('Returned documents. Null also for writes and counts.'),
  bytesReturned: nullByDefault(figure).describe(
    'BSON bytes of the returned documents, or of the values of `distinct`. Null for writes, and in older results.',
  ),
  commands: nullByDefault(figure).describe('Commands that a call sends. Null: not known, and in older results.'),
  roundTrips: nullByDefault(figure).describe('How often a call waits for the server. Null: not known.'),
  recall: nullByDefault(figure).describe(
    'Share of the documents of `exact` that the first calls return, on average. Null: the operation has no `exact`.',
  ),
  reason: orNull(text).describe('Why the plan or the figures are not known.'),
})

export type { Explain } from '../result-types.ts'
