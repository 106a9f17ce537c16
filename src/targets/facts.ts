import { z } from 'zod'

export const facts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .default({})
  .describe(
    'What the server cannot tell about itself (instance type, disk, price per hour), for columns of the report.',
  )
