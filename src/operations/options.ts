import { z } from 'zod'
import { value } from '../spec/value-place.ts'

/** Options of the driver that several operations share, under the driver's names. */
export const filter = value.default({}).describe('Which documents. Default: all.')
export const hint = value.optional().describe('Index to use: its name or its key.')
export const collation = z
  .strictObject({
    locale: z.string(),
    caseLevel: z.boolean().optional(),
    caseFirst: z.enum(['upper', 'lower', 'off']).optional(),
    strength: z.int().min(1).max(5).optional(),
    numericOrdering: z.boolean().optional(),
    alternate: z.enum(['non-ignorable', 'shifted']).optional(),
    maxVariable: z.enum(['punct', 'space']).optional(),
    backwards: z.boolean().optional(),
    normalization: z.boolean().optional(),
  })
  .optional()
  .describe('Rules for comparing text.')
export const comment = value.optional().describe("Comment that the server's logs and profiler show.")
export const maxTimeMS = z
  .int()
  .min(1)
  .optional()
  .describe(
    'Time after which the server gives up, in milliseconds. Default: none; the deadline of the phase bounds every call.',
  )
export const letOption = value.optional().describe('Variables for expressions of the server.')
export const sort = value.optional().describe('Order of the documents.')
export const projection = value.optional().describe('Fields to return. Default: all.')
export const skip = z.int().min(0).optional().describe('Documents to pass over.')
export const bypassDocumentValidation = z
  .boolean()
  .optional()
  .describe("Whether the collection's validator is passed by. Default false.")

const raw = z
  .boolean()
  .optional()
  .describe('Whether documents are left undecoded, which costs the client less. Default false.')

export const readOptions = {
  projection,
  sort,
  skip,
  hint,
  collation,
  comment,
  maxTimeMS,
  let: letOption,
  min: value.optional().describe('Lower bound of the index given in `hint`, itself included.'),
  max: value.optional().describe('Upper bound of the index given in `hint`, itself excluded.'),
  returnKey: z.boolean().optional().describe('Whether only index keys are returned. Default false.'),
  showRecordId: z.boolean().optional().describe('Whether the record id is added to each document. Default false.'),
  allowDiskUse: z.boolean().optional().describe('Whether a sort may use the disk. Default: as the server has it.'),
  raw,
}

export const writeOptions = { collation, comment, hint, let: letOption }
