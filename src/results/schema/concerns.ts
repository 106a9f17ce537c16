import { z } from 'zod'

export const writeConcern = z.object({
  w: z.union([z.int(), z.string()]),
  j: z.boolean().optional(),
  wtimeoutMS: z.int().optional(),
})

export const readConcern = z.object({
  level: z.enum(['local', 'available', 'majority', 'linearizable', 'snapshot']),
})

export const readPreference = z.object({
  mode: z.enum(['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest']),
  tags: z.array(z.record(z.string(), z.string())).optional(),
  maxStalenessSeconds: z.int().optional(),
})
