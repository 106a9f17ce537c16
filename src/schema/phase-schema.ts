import { z } from 'zod'
import { faultSpec } from '../faults/index.ts'
import { operationSpec } from '../operations/index.ts'
import { openLoad } from './open-load-schema.ts'
import { findPeakLoad } from './find-peak-load.ts'
import { threadsOfLoad } from './threads.ts'

const seconds = z
  .number()
  .positive()
  .max(7 * 24 * 3600)
const count = z
  .int()
  .min(1)
  .max(2 ** 40)

const load = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('closed'),
        workers: z
          .int()
          .min(1)
          .max(10_000)
          .describe('Callers, each of which waits for its answer before its next call. 1 to 10000.'),
        threads: threadsOfLoad,
      })
      .refine(({ workers, threads }) => threads === undefined || threads <= workers, {
        path: ['threads'],
        error: 'there are more threads than workers: each thread needs a worker',
      })
      .describe('A closed loop: a fixed number of callers, each as fast as the server answers.'),
    openLoad,
    findPeakLoad,
  ])
  .describe('How calls are spread in time.')

const warmup = z
  .strictObject({
    seconds: seconds.optional().describe('Length of the warm-up in seconds.'),
    operations: count.optional().describe('Calls of the warm-up.'),
  })
  .refine(
    (given) => (given.seconds === undefined) !== (given.operations === undefined),
    'takes either "seconds" or "operations"',
  )
  .describe('Calls before the clock starts, with draws of their own; not reported.')

const stopAfter = z
  .strictObject({
    operations: count.optional().describe('Calls in all.'),
    documents: count
      .optional()
      .describe('Documents that the calls ask for, in all; the last call asks for what is left.'),
    seconds: seconds.optional().describe('Length of the timed window in seconds.'),
  })
  .refine(
    (given) => Object.values(given).some((limit) => limit !== undefined),
    'takes "operations", "documents" or "seconds"; the first that is reached ends the phase',
  )
  .describe('Where the phase ends. A load that ends by itself has none; every other needs one.')

const tagSets = z.array(z.record(z.string(), z.string()))

export const writeConcern = z
  .strictObject({
    w: z
      .union([z.int().min(0).max(50), z.literal('majority'), z.string().min(1)])
      .describe(
        'Members that must have the write: a number, "majority", or a name of the set\'s own, as `settings.writeConcernModes` of the target defines them. With 0 nothing is acknowledged: what is timed is the sending, and afterwards the documents that inserts sent are counted where they should have arrived.',
      ),
    j: z.boolean().optional().describe('Whether the write must be in the journal.'),
    wtimeoutMS: z
      .int()
      .min(1)
      .optional()
      .describe('Time after which the server stops waiting for members, in milliseconds.'),
  })
  .refine(({ w, j }) => w !== 0 || j !== true, 'a write that is not acknowledged ("w": 0) cannot wait for the journal')
  .describe('Sent with every write. Default: majority with a wtimeout of 10 s.')

export const readConcern = z
  .strictObject({ level: z.enum(['local', 'available', 'majority', 'linearizable']) })
  .describe('Sent with every read. Default: local.')

export const readPreference = z
  .strictObject({
    mode: z
      .enum(['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'])
      .describe('Which member, under the names of the driver.'),
    tags: tagSets.optional().describe('Which members, by their tags, in order of preference.'),
    maxStalenessSeconds: z.int().min(90).optional().describe('Most that a secondary may lag behind, in seconds.'),
  })
  .refine(
    ({ mode, tags, maxStalenessSeconds }) => mode !== 'primary' || (!tags?.length && maxStalenessSeconds === undefined),
    'the mode "primary" names one member: "tags" and "maxStalenessSeconds" choose among several, as with "primaryPreferred"',
  )
  .describe('Which member reads go to. Default: the primary.')

const phaseFields = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][\w-]*$/)
    .describe('Name in tables and addresses.'),
  load: load.default({ kind: 'closed', workers: 1 }),
  warmup: warmup.optional(),
  stopAfter: stopAfter.optional(),
  operations: z
    .array(operationSpec)
    .min(1)
    .max(1000)
    .describe('What is called, at most 1000; `weight` says how often each is drawn.'),
  writeConcern: writeConcern.default({ w: 'majority', wtimeoutMS: 10_000 }),
  readConcern: readConcern.default({ level: 'local' }),
  readPreference: readPreference.default({ mode: 'primary' }),
  measured: z.boolean().default(true).describe('False: set-up, not reported. Default true.'),
  settle: z
    .boolean()
    .default(false)
    .describe(
      'Whether to wait, before the phase, for replication and a checkpoint. Before the first phase that is always done where documents were loaded. Default false.',
    ),
  keepSamples: z
    .boolean()
    .default(false)
    .describe(
      'Whether up to 100000 single timings of each operation are kept, for charts with the operation number on x. Default false.',
    ),
  claims: z
    .strictObject({
      cached: z
        .boolean()
        .describe('Whether what the phase reads is in the cache of the server: no pages are read then.'),
    })
    .optional()
    .describe('What the labels of the row say of it. A row that contradicts its claim is marked.'),
  retries: z
    .enum(['none', 'driver'])
    .optional()
    .describe(
      'What the driver may repeat by itself. "none": nothing, so that every error shows. "driver": reads and writes, and it waits for a server as long, as it does by default: what an application sees of a fault. A write that it sent again counts as unknown when the last answer was an error: what the first sending did nobody knows. Default: "none".',
    ),
  faults: z
    .array(faultSpec)
    .optional()
    .describe(
      'What is done to the servers while the phase runs, each at its time and undone again, whatever happens. When the phase is over, mongo-perf waits until the servers are well. Default: none.',
    ),
  deadlineSeconds: seconds.default(30).describe('A call that is not answered by then counts as unknown. Default 30.'),
})

/** What a phase says of its end, as far as it can be read. */
type Given = {
  readonly load?: { readonly kind?: string; readonly stages?: unknown }
  readonly stopAfter?: object | undefined
  readonly warmup?: object | undefined
}

const hasStages = ({ load: given }: Given): boolean => given?.stages !== undefined
const isSearch = ({ load: given }: Given): boolean => given?.kind === 'findPeak'
const endsByItself = (given: Given): boolean => hasStages(given) || isSearch(given)

/** Told beside what else is wrong with the phase. */
const isObjectAtLeast = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null

export const phase = phaseFields
  .refine((given: Given) => endsByItself(given) || given.stopAfter !== undefined, {
    path: ['stopAfter'],
    error: 'is missing',
    when: isObjectAtLeast,
  })
  .refine((given: Given) => !hasStages(given) || given.stopAfter === undefined, {
    path: ['stopAfter'],
    error: 'the stages of the load say how long the phase lasts: give one of the two',
    when: isObjectAtLeast,
  })
  .refine((given: Given) => !isSearch(given) || given.stopAfter === undefined, {
    path: ['stopAfter'],
    error: 'a load of kind "findPeak" ends by itself: leave "stopAfter" out',
    when: isObjectAtLeast,
  })
  .refine((given: Given) => !hasStages(given) || given.warmup === undefined, {
    path: ['warmup'],
    error: 'stages of the load with "measured": false are its warm-up: give one of the two',
    when: isObjectAtLeast,
  })

export type PhaseSpec = z.output<typeof phase>
