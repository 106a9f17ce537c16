import { z } from 'zod'
import { value } from '../../language/value-schema.ts'

/** Options that several operations share, under MongoDB's names. */
export const filter = value.default({}).describe('Which documents. Default: all.')
/** The option `hint`. */
export const hint = value.optional().describe('Index to use: its name or its key.')
/** The option `collation`. */
export const collation = z
  .strictObject({
    locale: z.string().describe('Language, such as "en"; "simple" compares bytes.'),
    caseLevel: z.boolean().optional().describe('Whether case counts at strength 1 and 2. Default false.'),
    caseFirst: z
      .enum(['upper', 'lower', 'off'])
      .optional()
      .describe('Which case comes first at strength 3. Default "off": as the language has it.'),
    strength: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .describe('What counts: 1 letters, 2 also accents, 3 also case, 4 and 5 also finer differences. Default 3.'),
    numericOrdering: z.boolean().optional().describe('Whether "10" comes after "9". Default false.'),
    alternate: z
      .enum(['non-ignorable', 'shifted'])
      .optional()
      .describe('Whether spaces and punctuation are letters like others or ignored. Default "non-ignorable".'),
    maxVariable: z
      .enum(['punct', 'space'])
      .optional()
      .describe('What "shifted" passes over: punctuation and spaces, or spaces alone. Default "punct".'),
    backwards: z
      .boolean()
      .optional()
      .describe('Whether accents count from the end, as in Canadian French. Default false.'),
    normalization: z.boolean().optional().describe('Whether text is normalised before it is compared. Default false.'),
  })
  .meta({ title: 'Collation' })
  .optional()
  .describe('Rules for comparing text.')
/** The option `comment`. */
export const comment = value.optional().describe("Comment that the server's logs and profiler show.")
/** The option `let` itself is one of the words that every operation has: see `operation.ts`. */
export const expectDocuments = z
  .int()
  .min(0)
  .optional()
  .describe('Documents that every call should find: what is missing is counted, not an error. Default: not looked at.')
/** The option `sort`. */
export const sort = value.optional().describe('Order of the documents.')
/** The option `projection`. */
export const projection = value.optional().describe('Fields to return. Default: all.')

/** A generator or another expression that is evaluated for every call. */
export const drawn = z.record(z.string().regex(/^@/), value).meta({ id: 'expression' })

/** A whole number: known when the plan is made, or drawn anew for every call. */
export const wholeNumber = (least: number) => z.union([z.int().min(least), drawn])

/** The option `skip`, in documents. */
export const skip = wholeNumber(0)
  .optional()
  .describe('Documents to skip: a whole number, or a generator that draws one for every call. Default 0.')
/** The option `maxTimeMS`, in milliseconds. */
export const maxTimeMS = wholeNumber(1)
  .optional()
  .describe(
    'Time after which the server gives up, in milliseconds: a whole number, or a generator that draws one for every call. Default: none; the deadline of the phase bounds every call.',
  )
/** The option `bypassDocumentValidation`. */
export const bypassDocumentValidation = z
  .boolean()
  .optional()
  .describe("Whether the collection's validator is bypassed. Default false.")
/** The option `allowDiskUse`. */
export const allowDiskUse = z
  .boolean()
  .optional()
  .describe('Whether what does not fit into memory may go to the disk. Default: as the server has it.')
/** The option `raw`. */
export const raw = z
  .boolean()
  .optional()
  .describe('Whether documents are left undecoded, which costs the client less. Default false.')
/** The option `batchSize`, in documents. */
export const batchSize = wholeNumber(0)
  .optional()
  .describe(
    'Documents per reply of the server: a whole number, or a generator that draws one for every call. 0 asks for a first reply without any; the driver sends it with `find` and leaves it out of `aggregate` (7.8). Default: 101 in the first, then 16 MB.',
  )

/** Options of all reads of documents by a filter. */
export const findOptions = {
  projection,
  sort,
  skip,
  hint,
  collation,
  comment,
  maxTimeMS,
  min: value.optional().describe('Lower bound of the index given in `hint`, inclusive.'),
  max: value.optional().describe('Upper bound of the index given in `hint`, exclusive.'),
  returnKey: z.boolean().optional().describe('Whether only index keys are returned. Default false.'),
  showRecordId: z.boolean().optional().describe('Whether the record id is added to each document. Default false.'),
  allowDiskUse,
  allowPartialResults: z
    .boolean()
    .optional()
    .describe('Whether a router answers with what it has when a shard is unavailable. Default false.'),
  raw,
}

/** Options of all writes that have a filter, in one of a bulk too. */
export const filterOptions = { collation, hint }
export const writeOptions = { ...filterOptions, comment, maxTimeMS }

/** Order that decides which of several documents a write of one document takes. */
export const firstInOrder = value
  .optional()
  .describe('Order of the documents that match: the first of them is taken. Needs a server of 8.0 or newer.')

/** The argument `update`. */
export const update = value.describe('Update operators, or a pipeline.')
/** The argument `replacement`. */
export const replacement = value.describe('The new document. Without an `_id` it keeps the one that it had.')
/** The option `upsert`. */
export const upsert = z
  .boolean()
  .optional()
  .describe('Whether a document is inserted when none matches. Default false.')
/** The option `arrayFilters`. */
export const arrayFilters = z.array(value).optional().describe('Which elements of arrays the update changes.')

/** Options of the operations that change one document and return it. */
export const findAndModifyOptions = {
  projection,
  sort: value.optional().describe('Order of the documents that match: the first of them is taken.'),
  ...writeOptions,
}
/** The option `returnDocument`. */
export const returnDocument = z
  .enum(['before', 'after'])
  .optional()
  .describe('Whether the document comes back as it was before the change or as it is after it. Default "before".')

/** The option `ordered`. */
export const ordered = z
  .boolean()
  .default(true)
  .describe('Whether the server stops at the first write that it refuses. Default true.')
