import { z } from 'zod'
import { threadsOfLoad } from './threads.ts'

/** Maximum number of calls per second. */
export const maxRate = 100_000

/** How calls of an open loop are spaced, and how many may be in flight. */
export const spacing = {
  arrivals: z
    .union([
      z.enum(['poisson', 'constant']),
      z
        .strictObject({
          burstsOf: z.number().min(1).max(1000).describe('Mean number of operations that are due together. 1 to 1000.'),
        })
        .meta({ title: 'Bursts' }),
    ])
    .default('poisson')
    .describe(
      'How operations are spaced: "poisson", as from many independent clients, with gaps drawn from the seed; "constant", with equal gaps at a constant rate; or `{ "burstsOf": 5 }`, in random bursts of 5 operations on average. Default "poisson".',
    ),
  maxInFlight: z
    .int()
    .min(1)
    .max(10_000)
    .default(256)
    .describe(
      'Maximum number of operations in flight. An operation that is due while this many are in flight is dropped and counted. They share the connections of `pool`, 100 by default. 1 to 10000. Default 256.',
    ),
}

/** A refinement of loads with `spacing`. */
export const threadsFit = [
  ({ maxInFlight, threads = 1 }: { maxInFlight: number; threads?: number | undefined }) =>
    threads <= Math.max(1, maxInFlight),
  { path: ['threads'], error: 'there are more threads than "maxInFlight": each thread needs a place' },
] satisfies [unknown, unknown]

const rateOfStage = z.number().min(0).max(maxRate)

const stage = z
  .strictObject({
    seconds: z
      .number()
      .positive()
      .max(24 * 3600)
      .describe('Length of the stage in seconds.'),
    ratePerSecond: rateOfStage.describe('Operations per second at its beginning. 0 to 100000.'),
    toRatePerSecond: rateOfStage
      .optional()
      .describe('Operations per second at its end, reached linearly. 0 to 100000. Default: as at its beginning.'),
    measured: z
      .boolean()
      .default(true)
      .describe(
        'False: its operations are not reported. Stages before the measured ones are the warm-up, which draws separate operations; then the load pauses while the counters of the servers are read. Default true.',
      ),
  })
  .meta({ title: 'Stage' })

/** Schema of a `load` with a given rate. */
export const openLoad = z
  .strictObject({
    kind: z.literal('open'),
    ratePerSecond: z
      .number()
      .positive()
      .max(maxRate)
      .optional()
      .describe('Operations per second, until `stopAfter` of the phase ends it. Above 0, to 100000.'),
    stages: z
      .array(stage)
      .min(1)
      .optional()
      .describe(
        'Rates one after the other, instead of `ratePerSecond`. They define how long the phase lasts, so it has neither `stopAfter` nor `warmup`. Measured stages must be consecutive.',
      ),
    ...spacing,
    threads: threadsOfLoad,
  })
  .refine(...threadsFit)
  .superRefine((load, context) => {
    for (const { path, message } of findLoadIssues(load)) context.addIssue({ code: 'custom', path: [...path], message })
  })
  .meta({ title: 'OpenLoad' })
  .describe(
    'An open loop: operations are sent when they are due, whether or not earlier ones have been answered. Response times count from the time at which an operation was due.',
  )

type Given = {
  readonly ratePerSecond?: number | undefined
  readonly stages?: readonly z.output<typeof stage>[] | undefined
}

type LoadIssue = { readonly path: readonly (string | number)[]; readonly message: string }

function findLoadIssues({ ratePerSecond, stages }: Given): readonly LoadIssue[] {
  if ((ratePerSecond === undefined) === (stages === undefined))
    return [{ path: [], message: 'takes either "ratePerSecond" or "stages"' }]
  return stages === undefined ? [] : stageIssues(stages)
}

function stageIssues(stages: readonly z.output<typeof stage>[]): readonly LoadIssue[] {
  const first = stages.findIndex(({ measured }) => measured)
  const last = stages.findLastIndex(({ measured }) => measured)
  if (first < 0) return [{ path: ['stages'], message: 'no stage is measured' }]
  const window = stages.slice(first, last + 1)
  const hole = window.findIndex(({ measured }) => !measured)
  if (hole >= 0)
    return [
      {
        path: ['stages', first + hole, 'measured'],
        message: 'stages before and after it are measured: measured stages must follow one another',
      },
    ]
  const hasCalls = window.some(({ ratePerSecond, toRatePerSecond = 0 }) => ratePerSecond + toRatePerSecond > 0)
  return hasCalls ? [] : [{ path: ['stages'], message: 'the stages that are measured have a rate of 0' }]
}
