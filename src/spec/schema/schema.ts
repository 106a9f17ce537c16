import { z } from 'zod'
import { value } from '../../language/value-schema.ts'
import { guardedKeys } from '../../language/values/keys.ts'
import { reportSpec } from '../../metrics/report-schema.ts'
import { checkSpec } from '../../servers/checks/index.ts'
import { targetSpec } from '../../servers/targets/index.ts'
import { dataSet } from './data-schema.ts'
import { engineOfSpec } from './engine.ts'
import { phase, type PhaseSpec } from './phase-schema.ts'
import { threshold } from './threshold-schema.ts'

const text = z
  .union([z.string(), z.array(z.string())])
  .transform((lines) => (typeof lines === 'string' ? lines : lines.join('\n')))

export const repeat = z
  .strictObject({
    times: z.int().min(1).max(1000).describe('Runs of every row.'),
    startUpRuns: z.int().min(0).default(0).describe('First runs, which do not count in medians. Default 0.'),
  })
  .refine(({ times, startUpRuns }) => startUpRuns < times, '"startUpRuns" must be below "times"')
  .meta({ title: 'Repeat' })
  .describe(
    'Repeats: interleaved rounds in seeded order; a cell shows the runs together: their median, or a statistic of all their samples.',
  )

/**
 * Schema of a spec whose expressions have been folded. It is the only definition: it validates, sets the defaults, becomes the
 * editor schema, and its descriptions are the reference.
 */
export const specSchema = z.strictObject({
  $schema: z.string().optional().describe('Where editors find the schema of specs.'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'must be small letters, digits and hyphens, with no hyphen first')
    .max(50)
    .describe('Short name: the folder of the results, and a part of the name of the database.'),
  title: z.string().optional().describe('Heading of the report. Default: the name.'),
  description: text
    .optional()
    .describe('Markdown: what is measured and why. One string or a list of lines. HTML in it is shown as text.'),
  seed: z.int().min(0).default(42).describe('The same seed gives the same rows and operations. Default 42.'),
  allow: z
    .array(z.enum(guardedKeys))
    .refine((keys) => new Set(keys).size === keys.length, 'has an entry twice')
    .default([])
    .describe(
      'Operators and stages that the spec uses and that run code on the server or write to a collection. The command line must allow each of them too, with --allow. Default: none.',
    ),
  target: targetSpec
    .prefault({ kind: 'standalone' })
    .describe('The server to measure. Default: a standalone server started for the run.'),
  parameters: z
    .record(z.string(), value)
    .optional()
    .describe('Named values; `@param` reads them. Each may use others.'),
  profiles: z
    .record(z.string(), z.record(z.string(), value))
    .optional()
    .describe('Other values for parameters, chosen with --profile.'),
  variants: value
    .optional()
    .describe('What varies by row: an object of lists (all combinations, first key slowest) or a list of objects.'),
  where: z
    .boolean()
    .optional()
    .describe(
      'Which combinations of the variants are rows: an expression on parameters, computed for each. False excludes the combination, and the rest of the spec need not be valid for it. Default: all.',
    ),
  data: z
    .union([dataSet.meta({ title: 'SingleDataSet' }), z.array(dataSet.meta({ title: 'DataSet' })).max(1000)])
    .transform((given) => (Array.isArray(given) ? given : [given]))
    .default([])
    .describe('Collections: one, or a list.'),
  engine: engineOfSpec,
  phases: z.array(phase).min(1).max(1000).describe('What is done, one after the other.'),
  repeat: repeat.optional(),
  checks: z
    .array(checkSpec)
    .default([])
    .describe(
      'Statements about the data that must hold for every row after its phases, some also during the phases; otherwise the exit code is 6.',
    ),
  thresholds: z
    .array(threshold)
    .default([])
    .describe('What must hold, such as "findOne.p99Ms < 5"; else the exit code is 5.'),
  report: reportSpec.default({}).describe('Tables, charts and the prose around them.'),
})

/** A validated spec of one row, as it is written. */
export type WrittenSpec = z.output<typeof specSchema>

/** A validated spec of one row. Each phase has its engine. */
export type Spec = Omit<WrittenSpec, 'engine' | 'phases'> & { readonly phases: readonly PhaseSpec[] }
