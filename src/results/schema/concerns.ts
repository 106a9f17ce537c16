import { z } from 'zod'

/** The schema of a write concern; its timeout is in milliseconds. */
export const writeConcern = z.object({
  w: z.union([z.int(), z.string()]),
  j: z.boolean().optional(),
  wtimeoutMS: z.int().optional(),
})

/** The schema of a read concern. */
export const readConcern = z.object({
  level: z.enum(['local', 'available', 'majority', 'linearizable', 'snapshot']),
})

/** The schema of a read preference; its staleness is in seconds. */
export const readPreference = z.object({
  mode: z.enum(['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest']),
  tags: z.array(z.record(z.string(), z.string())).optional(),
  maxStalenessSeconds: z.int().optional(),
})
