import { z } from 'zod'
import { maxRate, spacing, threadsFit } from './open-load-schema.ts'
import { threadsOfLoad } from './threads.ts'
import { thresholdText } from './threshold-schema.ts'

const rate = z.number().positive().max(maxRate)

/** Schema of a `load` that looks for the highest rate at which limits hold. */
export const findRateLoad = z
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
    'A search for the highest rate at which limits hold: open loops in steps. The rate is doubled until a limit is missed, then halved in between until the interval is narrow enough; a longer step confirms the answer. A step that drops operations, or falls behind its rate, also misses, and ends early. Each step has its own calls and a warm-up of 1 s; the first one has the warm-up of the phase. It ends by itself, so the phase has no "stopAfter". The figures of the phase come from the confirming step; the found rate is in the columns `foundRate…`, and single steps have addresses: `load@500.responseP99Ms` at 500 calls per second.',
  )

export type FindRateLoad = z.output<typeof findRateLoad>

const cacheMB = z.int().min(16).max(10_000_000)

/** Schema of a `load` that looks for the smallest cache with which limits hold. */
export const findCacheLoad = z
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
    'A search for the smallest WiredTiger cache with which limits hold: open loops of one rate, in steps with different sizes, which the servers get while they run and only for the search. They must be servers that mongo-perf starts. The size is halved until a limit is missed, then tried in between until the interval is narrow enough; a longer step confirms the answer. Each step has its own calls and the warm-up of the phase, by default 1 s, in which the server evicts what no longer fits. It ends by itself, so the phase has no "stopAfter". The figures of the phase come from the confirming step; the found size is in the column `foundCacheMB`, and single steps have addresses: `load@256.responseP99Ms` with 256 MB.',
  )

export type FindCacheLoad = z.output<typeof findCacheLoad>
