import { z } from 'zod'
import { value } from '../../language/value-schema.ts'

/** Options that several operations share, under MongoDB's names. */
export const filter = value.default({}).describe('Which documents. Default: all.')
export const hint = value.optional().describe('Index to use: its name or its key.')
export const collation = value
  .optional()
  .describe(
    'Rules for comparing text, such as `{"locale": "en", "strength": 2}`: see https://www.mongodb.com/docs/manual/reference/collation/',
  )
/** The option `let` itself is one of the words that every operation has: see `operation.ts`. */
export const expectDocuments = z
  .int()
  .min(0)
  .optional()
  .describe('Documents that each operation should find; missing ones are counted. Default: not checked.')
export const sort = value.optional().describe('Order of the documents.')
export const projection = value.optional().describe('Fields to return. Default: all.')

/** A generator or another expression that is evaluated for every call. */
export const drawn = z.record(z.string().regex(/^@/), value).meta({ id: 'expression' })

/** A whole number: known when the plan is made, or drawn anew for every call. */
export const wholeNumber = (least: number) => z.union([z.int().min(least), drawn])

/** The option `skip`, in documents. */
export const skip = wholeNumber(0)
  .optional()
  .describe('Documents to skip: a whole number, or a generator that draws one for every operation. Default 0.')
/** The option `maxTimeMS`, in milliseconds. */
export const maxTimeMS = wholeNumber(1)
  .optional()
  .describe(
    'Time after which the server gives up, in milliseconds: a whole number, or a generator that draws one for every operation. Default: none; the deadline of the phase bounds every operation.',
  )
export const allowDiskUse = z.boolean().optional().describe('Allow spilling to disk. Default: the server’s setting.')
/** The option `batchSize`, in documents. */
export const batchSize = wholeNumber(0)
  .optional()
  .describe(
    'Documents per reply of the server: a whole number, or a generator that draws one for every operation. 0 asks for a first reply without any; the driver sends it with `find` and leaves it out of `aggregate` (7.8). Default: 101 in the first, then 16 MB.',
  )

/** Options of all reads of documents by a filter. */
export const findOptions = {
  projection,
  sort,
  skip,
  hint,
  collation,
  maxTimeMS,
  allowDiskUse,
}

/** Options of all writes that have a filter, in one of a bulk too. */
export const filterOptions = { collation, hint }
export const writeOptions = { ...filterOptions, maxTimeMS }

/** Order that decides which of several documents a write of one document takes. */
export const firstInOrder = value
  .optional()
  .describe('Order of the documents that match: the first of them is taken. Needs a server of 8.0 or newer.')

export const update = value.describe('Update operators, or a pipeline.')
/** The argument `replacement`. */
export const replacement = value.describe('The new document. Without an `_id`, the document keeps its `_id`.')
export const upsert = z
  .boolean()
  .optional()
  .describe('Whether a document is inserted when none matches. Default false.')
export const arrayFilters = z.array(value).optional().describe('Which elements of arrays the update changes.')

/** Options of the operations that change one document and return it. */
export const findAndModifyOptions = {
  projection,
  sort: value.optional().describe('Order of the documents that match: the first of them is taken.'),
  ...writeOptions,
}
export const returnDocument = z
  .enum(['before', 'after'])
  .optional()
  .describe('Whether the document comes back as it was before the change or as it is after it. Default "before".')

export const ordered = z
  .boolean()
  .default(true)
  .describe('Whether the server stops at the first write that it refuses. Default true.')
