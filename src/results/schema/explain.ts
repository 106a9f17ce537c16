import { z } from 'zod'
import { figure } from './figure.ts'

/** Summary of `explain` for a few calls of an operation, sent after the window. */
export const explain = z.object({
  /** Number of explained calls. */
  calls: z.int(),
  /** Winning plans, each once, from the index or collection up: "IXSCAN customer_1 → FETCH". */
  plans: z.array(z.string()),
  indexes: z.array(z.string()),
  /** True: every call used an index, and none scanned a collection. Null: neither applies, or no plan is known. */
  usesIndex: z.boolean().nullable(),
  /** Medians of the calls. Null: not known. */
  keysExamined: figure.nullable(),
  docsExamined: figure.nullable(),
  /** Returned documents. Null also for writes and counts. */
  docsReturned: figure.nullable(),
  /** BSON bytes of the returned documents, or of the values of `distinct`. Null for writes, and in older results. */
  bytesReturned: figure.nullable().default(null),
  /** Commands that a call sends, and how often it waits for the server. Null: not known, and in older results. */
  commands: figure.nullable().default(null),
  roundTrips: figure.nullable().default(null),
  /** Share of the documents of `exact` that the first calls return, on average. Null: the operation has no `exact`. */
  recall: figure.nullable().default(null),
  /** Why the plan or the figures are not known. */
  reason: z.string().nullable(),
})

export type Explain = z.output<typeof explain>
