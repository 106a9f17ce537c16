import { z } from 'zod'

/** What the server answered to `explain`, after the window, of a few calls of an operation. */
export const explain = z.object({
  /** Calls that were explained. */
  calls: z.int(),
  /** Winning plans, each once, from the index or collection up: "IXSCAN customer_1 → FETCH". */
  plans: z.array(z.string()),
  indexes: z.array(z.string()),
  /** True: every call used an index, and none read a whole collection. Null: there was neither to use, or no plan is known. */
  usesIndex: z.boolean().nullable(),
  /** Medians of the calls. Null: not known. */
  keysExamined: z.number().nullable(),
  docsExamined: z.number().nullable(),
  /** Documents that came back. Null for writes and counts too. */
  docsReturned: z.number().nullable(),
  /** Why the plan or the figures are not known. */
  reason: z.string().nullable(),
})

export type Explain = z.output<typeof explain>
