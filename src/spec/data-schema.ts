import { z } from 'zod'
import { collation } from '../operations/options.ts'
import { value } from './value-place.ts'

export const collectionName = z
  .string()
  .regex(/^[A-Za-z_][\w.-]{0,99}$/)
  .refine(
    (name) => !name.startsWith('system.') && !name.startsWith('mongoperf'),
    'must not be a name that the server or mongo-perf keeps for itself',
  )

const indexSpec = z.strictObject({
  key: z
    .record(z.string(), z.union([z.literal(1), z.literal(-1), z.enum(['text', 'hashed', '2d', '2dsphere'])]))
    .refine((key) => Object.keys(key).length > 0, 'must name a field')
    .describe('Fields with 1, -1, "hashed", "text", "2d" or "2dsphere", in order.'),
  name: z.string().optional().describe('Name. Default: made of the key.'),
  unique: z.boolean().optional().describe('Whether values may stand only once.'),
  sparse: z.boolean().optional().describe('Whether documents without the field are left out.'),
  hidden: z.boolean().optional().describe('Whether queries may not use it.'),
  expireAfterSeconds: z.number().min(0).optional().describe('Age at which documents are removed, in seconds.'),
  partialFilterExpression: value.optional().describe('Which documents are in the index.'),
  wildcardProjection: value.optional().describe('Which fields a wildcard index holds.'),
  weights: value.optional().describe('Weights of the fields of a text index.'),
  default_language: z.string().optional().describe('Language of a text index.'),
  collation,
})

const collectionOptions = z
  .strictObject({
    capped: z.boolean().optional().describe('Whether the collection has a fixed size.'),
    size: z.int().min(1).optional().describe('Size of a capped collection, in bytes.'),
    max: z.int().min(1).optional().describe('Most documents of a capped collection.'),
    validator: value.optional().describe('What the server checks in every write.'),
    validationLevel: z.enum(['off', 'strict', 'moderate']).optional(),
    validationAction: z.enum(['error', 'warn']).optional(),
    collation,
    storageEngine: value.optional().describe('Options of the storage engine, such as its block compressor.'),
  })
  .describe("Options of `create`, under the server's names.")

/** One collection: how its rows are made, and its indexes. */
export const dataSet = z.strictObject({
  collection: collectionName.describe('Name of the collection; it lies in a database of our own.'),
  rows: z
    .int()
    .min(0)
    .max(2 ** 40)
    .default(0)
    .describe('Documents loaded before the phases, outside of every timed window. Default 0.'),
  document: value
    .optional()
    .describe('The document of a row, a pure function of the seed, the collection and the number of the row.'),
  indexes: z.array(indexSpec).default([]).describe('Secondary indexes, built after the load.'),
  options: collectionOptions.optional(),
})

export type DataSetSpec = z.output<typeof dataSet>
export type IndexSpec = z.output<typeof indexSpec>
