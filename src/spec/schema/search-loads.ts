import { z } from 'zod'
import { maxRate, spacing, threadsFit } from './open-load-schema.ts'
import { threadsOfLoad } from './threads.ts'
import { thresholdText } from './threshold-schema.ts'

const workersSchema = z.int().min(1).max(10_000)

/** Schema of a `load` with a saturation search. */
const findPeakLoad = z
  .strictObject({
    kind: z.literal('findPeak'),
    from: workersSchema.default(1).describe('Workers of the first step, 1 to 10000. Default 1.'),
    to: workersSchema.describe('Maximum number of workers, 2 to 10000, and without `pool` of open connections.'),
    factor: z
      .number()
      .min(1.1)
      .max(10)
      .default(2)
      .describe('Workers of a step divided by the workers of the step before, 1.1 to 10. Default 2.'),
    secondsPerStep: z
      .number()
      .positive()
      .max(3600)
      .default(5)
      .describe(
        'Length of each step in seconds, more than 0 and at most 3600; the one that confirms the answer is twice as long. Default 5.',
      ),
    gain: z
      .number()
      .min(0)
      .max(1)
      .default(0.05)
      .describe(
        'What counts as growth: two steps that together bring no more than this share of throughput end the search. 0 to 1. Default 0.05.',
      ),
    margin: z
      .number()
      .min(0)
      .max(0.5)
      .default(0.03)
      .describe(
        'The best number of workers is the smallest whose throughput is at most this share below the maximum of all steps. 0 to 0.5. Default 0.03.',
      ),
    threads: threadsOfLoad,
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be more than "from"' })
  .refine(({ from, threads = 1 }) => threads <= from, {
    path: ['threads'],
    error: 'there are more threads than workers of the first step: each thread needs a worker',
  })
  .meta({ title: 'FindPeakLoad' })
  .describe(
    'A saturation search: a closed loop in steps, each with more workers than the one before, until throughput (successful operations per second) no longer grows. It ends by itself, so the phase has no "stopAfter". The search ends at a step without growth if a resource was used up, otherwise at the second such step in a row. A longer step confirms the best number. Each step has its own operations and a warm-up of 1 s; the first one has the warm-up of the phase. The figures of the phase come from the confirming step. Tables with "rows": "windows" show every step, with addresses such as `load@8.p99Ms`; the best number is in the column `foundWorkers`.',
  )

const rate = z.number().positive().max(maxRate)

/** Schema of a `load` that looks for the highest rate at which limits hold. */
const findRateLoad = z
  .strictObject({
    kind: z.literal('findRate'),
    holds: z
      .array(thresholdText)
      .min(1)
      .describe('Limits that must hold, written as thresholds: ["responseP99Ms < 10", "errors == 0"]. At least one.'),
    from: rate.default(100).describe('Operations per second of the first step, above 0, to 100000. Default 100.'),
    to: rate
      .default(50_000)
      .describe('Maximum number of operations per second that is tried, to 100000. Default 50000.'),
    secondsPerStep: z
      .number()
      .min(0.2)
      .max(3600)
      .default(5)
      .describe(
        'Minimum length of a step in seconds: it is longer where a percentile among the limits needs more samples, and the one that confirms the answer is twice as long. 0.2 to 3600. Default 5.',
      ),
    precisionPercent: z
      .number()
      .min(1)
      .max(50)
      .default(10)
      .describe(
        'How precise the answer is to be, in percent: the nearest steps that held and that missed are at most this far from their middle. 1 to 50. Default 10.',
      ),
    ...spacing,
    threads: threadsOfLoad,
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be more than "from"' })
  .refine(...threadsFit)
  .meta({ title: 'FindRateLoad' })
  .describe(
    'A search for the highest rate at which limits hold: open loops in steps. The rate is doubled until a limit is missed, then halved in between until the interval is narrow enough; a longer step confirms the answer. A step that drops operations, or falls behind its rate, also misses, and ends early. Each step has its own operations and a warm-up of 1 s; the first one has the warm-up of the phase. It ends by itself, so the phase has no "stopAfter". The figures of the phase come from the confirming step; the found rate is in the columns `foundRate…`, and single steps have addresses: `load@500.responseP99Ms` at 500 operations per second.',
  )

const cacheMB = z.int().min(16).max(10_000_000)

/** Schema of a `load` that looks for the smallest cache with which limits hold. */
const findCacheLoad = z
  .strictObject({
    ...findRateLoad.shape,
    kind: z.literal('findCache'),
    from: cacheMB.default(1024).describe('Cache of the first step in MB, the largest, 16 to 10000000. Default 1024.'),
    to: cacheMB.default(64).describe('Smallest cache that is tried in MB, 16 to 10000000. Default 64.'),
    ratePerSecond: rate.describe('Operations per second of each step, above 0, to 100000.'),
  })
  .refine(({ from, to }) => from > to, { path: ['to'], error: 'must be less than "from"' })
  .refine(...threadsFit)
  .meta({ title: 'FindCacheLoad' })
  .describe(
    'A search for the smallest WiredTiger cache with which limits hold. Its steps are open loops of the same rate, each with another size of the cache. Servers are resized while they run, and get their own size back afterwards. They must be servers that mongo-perf starts. The size is halved until a limit is missed, then tried in between until the interval is narrow enough; a longer step confirms the answer. Each step has its own operations and the warm-up of the phase, by default 1 s, in which the server evicts what no longer fits. It ends by itself, so the phase has no "stopAfter". The figures of the phase come from the confirming step; the found size is in the column `foundCacheMB`, and single steps have addresses: `load@256.responseP99Ms` with 256 MB.',
  )

/** The loads that are searches, by their kind. */
export const searchLoads = { findPeak: findPeakLoad, findRate: findRateLoad, findCache: findCacheLoad } as const

type Loads = { readonly [Kind in keyof typeof searchLoads]: z.output<(typeof searchLoads)[Kind]> }

/** A load that looks for something in steps, which are loads of their own. */
export type SearchLoad<Kind extends keyof Loads = keyof Loads> = Loads[Kind]
