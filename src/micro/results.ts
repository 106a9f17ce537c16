import { z } from 'zod'
import { environment } from '../results/schema/environment.ts'
import { type Average, averages, type MicroTask } from './task.ts'

const compositeNames = [...averages, 'DriverBench'] as const
type CompositeName = (typeof compositeNames)[number]

/** A composite score in MB/s, or the missing tasks. */
type Composite =
  | { readonly name: CompositeName; readonly status: 'scored'; readonly megabytesPerSecond: number }
  | { readonly name: CompositeName; readonly status: 'incomplete'; readonly missing: readonly string[] }

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * The composite scores: averages as in the specification. DriverBench is the average of ReadBench and WriteBench.
 * @param scores MB/s of the measured tasks, by name.
 */
export function computeComposites(
  scores: ReadonlyMap<string, number>,
  tasks: readonly Pick<MicroTask, 'name' | 'countsIn'>[],
): readonly Composite[] {
  const membersOf = (average: Average): readonly string[] =>
    tasks.filter(({ countsIn }) => countsIn.includes(average)).map(({ name }) => name)
  const score = (members: readonly string[]): number => mean(members.map((name) => scores.get(name) ?? Number.NaN))
  const composite = (name: CompositeName, parts: readonly (readonly string[])[]): Composite => {
    const missing = parts.flat().filter((member) => !scores.has(member))
    if (missing.length > 0) return { name, status: 'incomplete', missing }
    return { name, status: 'scored', megabytesPerSecond: mean(parts.map(score)) }
  }
  return [
    ...averages.map((name) => composite(name, [membersOf(name)])),
    composite('DriverBench', [membersOf('ReadBench'), membersOf('WriteBench')]),
  ]
}

/** The percentiles that the specification requires. */
export const percents = [10, 25, 50, 75, 90, 95, 98, 99] as const
/** One of these percentiles. */
export type Percent = (typeof percents)[number]
type Percentiles = Readonly<Record<`p${Percent}`, number>>

/**
 * A percentile by nearest rank, as in the specification: of N sorted values the one at int(N * p / 100) - 1, from 0, but at
 * least the first.
 * @param values At least one value.
 */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const value = sorted[Math.max(0, Math.floor((sorted.length * percent) / 100) - 1)]
  if (value === undefined) throw new Error('There is no percentile of no values')
  return value
}

export function computePercentiles(values: readonly number[]): Percentiles {
  const entries = percents.map((percent) => [`p${percent}`, percentile(values, percent)] as const)
  return Object.fromEntries(entries) as Percentiles
}

/** Version of the format, raised when an older reader would misunderstand a newer file. */
export const microResultVersion = 1

const facts = {
  name: z.string(),
  title: z.string(),
  group: z.enum(['bson', 'single', 'multi', 'parallel', 'generators', 'expressions']),
}

const seconds = z.number()
const percentiles = z.object({
  p10: seconds,
  p25: seconds,
  p50: seconds,
  p75: seconds,
  p90: seconds,
  p95: seconds,
  p98: seconds,
  p99: seconds,
})

const microTaskResult = z.discriminatedUnion('status', [
  z.object({
    ...facts,
    status: z.literal('measured'),
    /** Bytes of one iteration. */
    bytes: z.int(),
    /** Seconds of every iteration without the warm-up: in order, of tasks in memory sorted. */
    seconds: z.array(z.number()),
    /** Percentiles of the seconds, by nearest rank. */
    percentiles,
    /** Bytes / 10^6 / median seconds: the score of the task. */
    megabytesPerSecond: z.number(),
    /** Statistics of tinybench on one operation of a task in memory. Null: it ran on a server, or an older result. */
    statistics: z
      .object({
        /** Operations of one iteration. */
        operations: z.int(),
        meanNs: z.number(),
        /** Half of the 95 % interval of the mean, in percent of it. */
        marginPercent: z.number(),
        p50Ns: z.number(),
        p75Ns: z.number(),
        p99Ns: z.number(),
        p999Ns: z.number(),
      })
      .nullable()
      .default(null),
  }),
  z.object({ ...facts, status: z.literal('notRun'), reason: z.string() }),
  z.object({ ...facts, status: z.literal('failed'), error: z.string() }),
])

const compositeName = z.enum(compositeNames)

/** The result of a run of microbenchmarks, with the tasks that have ended. */
export const microResult = z.object({
  format: z.literal('mongo-perf-micro-result'),
  version: z.literal(microResultVersion),
  tool: z.object({ name: z.literal('mongo-perf'), version: z.string() }),
  environment,
  /** Null if no task needed a server. */
  server: z.object({ version: z.string(), startedByUs: z.boolean(), cacheGB: z.number().nullable() }).nullable(),
  /** Generated from a seed, or the specification's own files. */
  data: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('generated'), seed: z.int() }),
    z.object({ kind: z.literal('given') }),
  ]),
  limits: z.object({ minSeconds: z.number(), maxSeconds: z.number(), iterations: z.int() }),
  /** Whether the limits are those of the specification. If not, the scores do not compare with other scores. */
  byTheRules: z.boolean(),
  status: z.enum(['running', 'done', 'aborted']),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  tasks: z.array(microTaskResult),
  composites: z.array(
    z.discriminatedUnion('status', [
      z.object({ name: compositeName, status: z.literal('scored'), megabytesPerSecond: z.number() }),
      z.object({ name: compositeName, status: z.literal('incomplete'), missing: z.array(z.string()) }),
    ]),
  ),
})

export type MicroResult = z.output<typeof microResult>
export type MicroTaskResult = z.output<typeof microTaskResult>
export type MeasuredTask = Extract<MicroTaskResult, { status: 'measured' }>
