import { z } from 'zod'

/** Fields common to all operations on files. */
export const bucketFields = {
  bucketName: z
    .string()
    .regex(/^(?!system\.)[^$\0]+$/, 'must not begin with "system." or hold a "$"')
    .max(100)
    .default('fs')
    .describe('GridFS bucket: its collections are `<bucketName>.files` and `<bucketName>.chunks`. Default "fs".'),
  collection: z
    .string()
    .optional()
    .describe('Data set whose rows `@nextRow` and `@pickRow` count where they name none. Default: the only one.'),
}
