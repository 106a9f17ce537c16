import { z } from 'zod'

const tagSets = z.array(z.record(z.string(), z.string()))

export const writeConcern = z
  .strictObject({
    w: z
      .union([z.int().min(0).max(50), z.literal('majority'), z.string().min(1)])
      .describe(
        'Members that must have the write: a number, "majority", or a mode that an existing set defines. With 0 nothing is acknowledged: only the time to send is measured, and afterwards the inserted documents that arrived are counted.',
      ),
    j: z.boolean().optional().describe('Whether the write must be in the journal.'),
    wtimeoutMS: z
      .int()
      .min(1)
      .optional()
      .describe('Time after which the server stops waiting for members, in milliseconds.'),
  })
  .refine(({ w, j }) => w !== 0 || j !== true, 'a write that is not acknowledged ("w": 0) cannot wait for the journal')
  .meta({ title: 'WriteConcern' })
  .describe('Sent with every write. Default: majority with a wtimeout of 10 s.')

export const readConcern = z
  .strictObject({ level: z.enum(['local', 'available', 'majority', 'linearizable']) })
  .meta({ title: 'ReadConcern' })
  .describe('Sent with every read. Default: local.')

export const readPreference = z
  .strictObject({
    mode: z
      .enum(['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'])
      .describe('Which member, under the names of the driver.'),
    tags: tagSets.optional().describe('Tag sets, most preferred first.'),
    maxStalenessSeconds: z.int().min(90).optional().describe('Maximum lag of a secondary, in seconds.'),
  })
  .refine(
    ({ mode, tags, maxStalenessSeconds }) => mode !== 'primary' || (!tags?.length && maxStalenessSeconds === undefined),
    'the mode "primary" selects one member: "tags" and "maxStalenessSeconds" need a mode that chooses among several, such as "primaryPreferred"',
  )
  .meta({ title: 'ReadPreference' })
  .describe('Which member reads go to. Default: the primary.')

/** Concerns of a phase that names none. */
export const defaultConcerns = {
  writeConcern: { w: 'majority', wtimeoutMS: 10_000 },
  readConcern: { level: 'local' },
  readPreference: { mode: 'primary' },
} as const

/** Schema of the write concern of a step, whose reply later steps may read. */
export const writeConcernOfStep = z
  .strictObject({
    w: z
      .union([z.int().min(1).max(50), z.literal('majority'), z.string().min(1)])
      .describe('Members that must have the write: a number from 1, "majority", or a custom name of the set.'),
    j: writeConcern.shape.j,
    wtimeoutMS: writeConcern.shape.wtimeoutMS,
  })
  .meta({ title: 'StepWriteConcern' })
  .optional()
  .describe('Sent with the write of this step. Default: as the phase has it.')

export const readPreferenceOfStep = readPreference
  .optional()
  .describe('Which member the read of this step goes to. Default: as the phase has it.')
