import { z } from 'zod'
import { figure } from './figure.ts'

/** Values of own columns, by their names. */
export const ownValues = z.record(z.string(), z.union([figure, z.string()]).nullable())

/** How own columns look, by their names. */
export const ownColumns = z.record(
  z.string(),
  z.object({
    title: z.string(),
    unit: z.string(),
    /** Number of decimals. */
    digits: z.int(),
    /** Absent: neither higher nor lower values are better. */
    better: z.enum(['higher', 'lower']).optional(),
    /** Absent: its values are numbers. */
    isText: z.boolean().optional(),
  }),
)
