import { z } from 'zod'
import { threadsOfLoad } from './threads.ts'

const workers = z.int().min(1).max(10_000)

/** Schema of a `load` that searches for the best number of workers. */
export const findPeakLoad = z
  .strictObject({
    kind: z.literal('findPeak'),
    from: workers.default(1).describe('Workers of the first step, 1 to 10000. Default 1.'),
    to: workers.describe('Maximum number of workers, 2 to 10000, and of open connections.'),
    factor: z
      .number()
      .min(1.1)
      .max(10)
      .default(2)
      .describe('Workers of a step divided by those of the step before, 1.1 to 10. Default 2.'),
    secondsPerStep: z
      .number()
      .positive()
      .max(3600)
      .default(5)
      .describe('Length of each step in seconds, more than 0 and at most 3600. Default 5.'),
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
        'The best number of workers is the smallest whose throughput lies no more than this share below the greatest of all steps. 0 to 0.5. Default 0.03.',
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
    'A search for the best number of workers: a closed loop in steps, each with more workers than the one before, until throughput (successful calls per second) no longer grows. It ends by itself, so the phase has no "stopAfter". Connections are opened between the steps. The figures of the phase are those of all steps together; those of single steps and of the best one are in tables with "rows": "peakSteps" and in the columns `peak…`.',
  )
