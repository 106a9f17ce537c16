import { z } from 'zod'
import { type EngineKind } from '../../load/engines/engine-kinds.ts'
import { faultSpec } from '../../servers/faults/index.ts'
import { defaultConcerns, readConcern, readPreference, writeConcern } from '../operations/concerns.ts'
import { operationSpec } from '../operations/index.ts'
import { connectionPool } from './connection-pool.ts'
import { engineOfPhase } from './engine.ts'
import { openLoad } from './open-load-schema.ts'
import { type ParallelSpec, parallelSchema, ownFields } from './parallel-schema.ts'
import { searchLoads } from './search-loads.ts'
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
          .describe('Workers: each waits for its reply before it sends its next operation. 1 to 10000.'),
        maxRatePerSecond: z
          .number()
          .positive()
          .max(100_000)
          .optional()
          .describe(
            'Operations per second of all workers together, at most. A worker that is late catches up; unlike in an open loop, its delay does not count as latency. Above 0, to 100000. Default: no limit.',
          ),
        threads: threadsOfLoad,
      })
      .refine(({ workers, threads }) => threads === undefined || threads <= workers, {
        path: ['threads'],
        error: 'there are more threads than workers: each thread needs a worker',
      })
      .meta({ title: 'ClosedLoad' })
      .describe('A closed loop: a fixed number of workers, each as fast as the server answers, or limited to a rate.'),
    openLoad,
    ...Object.values(searchLoads),
  ])
  .meta({ title: 'Load' })
  .describe('When operations are sent.')

const warmup = z
  .strictObject({
    seconds: seconds.optional().describe('Length of the warm-up in seconds.'),
    operations: count.optional().describe('Operations of the warm-up.'),
  })
  .refine(
    (given) => (given.seconds === undefined) !== (given.operations === undefined),
    'takes either "seconds" or "operations"',
  )
  .meta({ title: 'Warmup' })
  .describe('Operations before the clock starts, drawn separately and not reported.')

const stopAfter = z
  .strictObject({
    operations: count.optional().describe('Operations in all.'),
    documents: count
      .optional()
      .describe('Documents that all operations request together; the last one requests the rest.'),
    seconds: seconds.optional().describe('Length of the timed window in seconds; with `precisionPercent` its maximum.'),
    precisionPercent: z
      .number()
      .min(0.1)
      .max(50)
      .optional()
      .describe(
        'Stops once mean throughput is known to within ±N %: half the width of its 95 % interval, by batch means, three seconds in a row and not in the first five. Needs `seconds`, at which it ends otherwise. Only in closed loops. The column `precisionPercent` has what was reached. Checking every second makes the interval slightly too narrow, and a short window misses swings that last longer than a second or two. 0.1 to 50.',
      ),
  })
  .refine(
    ({ precisionPercent, seconds: atMost }) => precisionPercent === undefined || atMost !== undefined,
    '"precisionPercent" needs "seconds": the longest that the phase may take to be precise',
  )
  .refine(
    ({ precisionPercent, operations, documents }) =>
      precisionPercent === undefined || (operations === undefined && documents === undefined),
    '"precisionPercent" needs a phase that can go on: leave "operations" and "documents" out',
  )
  .refine(
    (given) => Object.values(given).some((limit) => limit !== undefined),
    'takes "operations", "documents" or "seconds"; the first that is reached ends the phase',
  )
  .meta({ title: 'StopAfter' })
  .describe('When the phase ends. Required, except for loads that end by themselves.')

/** Who calls, when, and what: of a phase with one load, and of each of several. */
const loadFields = {
  name: z
    .string()
    .regex(/^[A-Za-z][\w-]*$/)
    .describe('Name in tables and addresses.'),
  load: load.optional().describe('When operations are sent. Default: a closed loop of one worker.'),
  pool: connectionPool
    .optional()
    .describe(
      'The connection pool of the operations, as in an application. Operations wait for a free connection; response times include that wait, and the columns `poolWait…` show it. It is filled before the first operation. Default: of an open load the pool of the driver, with 100 connections; of others one connection for each worker.',
    ),
}

const operations = z
  .array(operationSpec)
  .min(1)
  .max(1000)
  .describe('Operations that are called, at most 1000; `weight` is how often each is drawn.')

const phaseFields = z.strictObject({
  name: loadFields.name,
  engine: engineOfPhase,
  load: loadFields.load,
  pool: loadFields.pool,
  warmup: warmup.optional(),
  stopAfter: stopAfter.optional(),
  operations: operations.optional(),
  writeConcern: writeConcern.default(defaultConcerns.writeConcern),
  readConcern: readConcern.default(defaultConcerns.readConcern),
  readPreference: readPreference.default(defaultConcerns.readPreference),
  measured: z.boolean().default(true).describe('False: set-up, not reported. Default true.'),
  settle: z
    .boolean()
    .default(false)
    .describe(
      'Whether to wait for replication and a checkpoint before the phase. Before the first phase this always happens if documents were loaded. Default false.',
    ),
  keepSamples: z
    .union([z.boolean(), z.number().int().min(1).max(100_000)])
    .default(false)
    .describe('Timings kept for charts of an operation: this many, from the first on; true: 100000. Default false.'),
  claims: z
    .strictObject({
      cached: z
        .boolean()
        .describe('Whether the data that the phase reads is in the cache of the server, so that no pages are read.'),
    })
    .meta({ title: 'Claims' })
    .optional()
    .describe('What the label of the row promises. If the measurement contradicts it, the row gets a warning.'),
  retries: z
    .enum(['none', 'driver'])
    .optional()
    .describe(
      'What the driver may retry. "none": nothing, so that every error is visible. "driver": reads and writes, with the driver\'s default timeout of server selection: what an application sees during a fault. A retried write whose last answer is an error counts as unknown: the first attempt may have succeeded. Default: "none".',
    ),
  faults: z
    .array(faultSpec)
    .optional()
    .describe(
      'Failures to inject while the phase runs, each at its time; all are undone at the end, also after an error. After the phase, mongo-perf waits until the servers are healthy. Default: none.',
    ),
  deadlineSeconds: seconds
    .default(30)
    .describe('Seconds after which an operation that was not answered counts as unknown. Default 30.'),
  loads: parallelSchema(z.strictObject({ ...loadFields, operations, ...ownFields })).optional(),
})

/** The fields of an unvalidated phase that define its end. */
type Given = {
  readonly load?: { readonly kind?: string; readonly stages?: unknown } | undefined
  readonly loads?: object | undefined
  readonly operations?: object | undefined
  readonly stopAfter?: object | undefined
  readonly warmup?: object | undefined
}

const hasStages = ({ load: given }: Given): boolean => given?.stages !== undefined
const isSearch = ({ load: given }: Given): boolean => String(given?.kind).startsWith('find')
const endsByItself = (given: Given): boolean => hasStages(given) || isSearch(given)

/** For `when` of a refinement: report it even where other fields of the phase are invalid. */
const isObjectAtLeast = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null

/** The type of the schema of a phase. It has a name so that declarations spell it out once. */
export interface PhaseSchema extends z.ZodObject<(typeof phaseFields)['shape'], z.core.$strict> {}

export const phase: PhaseSchema = phaseFields
  .meta({ title: 'Phase' })
  .refine((given: Given) => endsByItself(given) || given.stopAfter !== undefined, {
    path: ['stopAfter'],
    error: 'is missing',
    when: isObjectAtLeast,
  })
  .refine((given: Given) => !hasStages(given) || given.stopAfter === undefined, {
    path: ['stopAfter'],
    error: 'the stages of the load define how long the phase lasts: leave "stopAfter" out',
    when: isObjectAtLeast,
  })
  .refine((given: Given) => !isSearch(given) || given.stopAfter === undefined, {
    path: ['stopAfter'],
    error: 'a load that searches ends by itself: leave "stopAfter" out',
    when: isObjectAtLeast,
  })
  .refine((given: Given) => !hasStages(given) || given.warmup === undefined, {
    path: ['warmup'],
    error: 'stages of the load with "measured": false are its warm-up: leave "warmup" out',
    when: isObjectAtLeast,
  })
  .refine((given: Given) => given.loads !== undefined || given.operations !== undefined, {
    path: ['operations'],
    error: 'is missing',
    when: isObjectAtLeast,
  })
  .refine(({ loads, load: one, operations: own }: Given) => loads === undefined || (one ?? own) === undefined, {
    path: ['loads'],
    error: 'a phase has either "loads", or "load" and "operations"',
    when: isObjectAtLeast,
  })

/** A phase as it is written: with one load, or with several. */
export type WrittenPhase = z.output<typeof phase>

/** One load of a phase of a validated spec, with its engine: all of the phase, or one of several. */
export type PhaseSpec = Omit<WrittenPhase, 'load' | 'loads' | 'operations'> & {
  readonly engine: EngineKind
  readonly load: NonNullable<WrittenPhase['load']>
  readonly operations: NonNullable<WrittenPhase['operations']>
  /** Its place among several. Absent: it is alone. */
  readonly parallel?: ParallelSpec | undefined
}
