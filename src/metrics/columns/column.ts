import { type CheckResult } from '../../results/schema.ts'
import { type Latency, type LatencySummary } from '../../results/schema/latency.ts'
import { type MemberResources } from '../../results/schema/servers.ts'
import { countSamples, type Statistic, computeStatistic, isPercentile, percentileShares } from '../latency.ts'
import { type MetricTarget, type Scope } from '../scope.ts'

/** One number per second of the window. Null: no sample in that second. */
export type Series = readonly (number | null)[]

export type MetricName = keyof MemberResources['totals']

export type Column = {
  /** Heading, with the unit. */
  readonly title: string
  readonly unit: string
  /** One sentence: where the number comes from, and what is divided by what. */
  readonly meaning: string
  /** The server command that it needs; "client": measured by the client; "facts": stated in the spec; "faults": observed during faults. */
  readonly source:
    | 'client'
    | 'serverStatus'
    | 'getDiagnosticData'
    | 'hostInfo'
    | 'collStats'
    | 'explain'
    | 'facts'
    | 'faults'
  /** Default number of decimals. */
  readonly digits: number
  /** Direction of better values, so that two results can be compared by it. Default: neither is better. */
  readonly better?: 'higher' | 'lower'
  /** Kinds of places for which it is known. */
  readonly of: readonly MetricTarget['kind'][]
  /** Whether it is text, which cannot be drawn or compared. Default: it is a number. */
  readonly isText?: true
  /** Whether it shows the worst of several faults. */
  readonly ofWorstFault?: true
} & (PerRun | OverRuns | PerCall | OfChecks)

/** Computed for each run. Null: unknown, an empty cell. */
export type PerRun = {
  readonly value: (scope: Scope) => number | null
  /** Computed from the samples of several runs together. Absent, or null: a row shows the median of its runs. */
  readonly together?: (scopes: readonly Scope[]) => number | null
  /** Null if it cannot be combined for these operations. */
  readonly perSecond?: (scope: Scope) => Series | null
  /** The metrics of a member that it uses: a compact result keeps only those. */
  readonly metrics?: readonly MetricName[]
  /** Default: it is not a percentile. */
  readonly percentile?: Percentile
}

/** A percentile, which is shown only if enough samples are above it. */
export type Percentile = {
  /** The share of the samples that are below it: 0.99. */
  readonly share: number
  /** The number of samples. Null: unknown. */
  readonly samples: (scope: Scope) => number | null
}

/** The percentile of a statistic, for the column that shows it. Nothing for a mean or an end of the range. */
export function asPercentile(statistic: string, samples: Percentile['samples']): Pick<PerRun, 'percentile'> {
  return isPercentile(statistic) ? { percentile: { share: percentileShares[statistic], samples } } : {}
}

/**
 * A statistic of latencies: of one run, or of the samples of several runs together.
 * @param latencies Those of a scope. Null: it has none.
 * @param summary Of all latencies of a scope, where it was kept.
 */
export function latencyStatistic(
  name: Statistic,
  latencies: (scope: Scope) => readonly Latency[] | Latency | null,
  summary: (scope: Scope) => LatencySummary | null = () => null,
): Pick<PerRun, 'value' | 'together' | 'percentile'> {
  const partsIn = (scope: Scope): readonly Latency[] => [latencies(scope) ?? []].flat()
  return {
    value: (scope) => (name === 'p90Ms' ? null : summary(scope)?.[name]) ?? computeStatistic(partsIn(scope), name),
    together: (scopes) => computeStatistic(scopes.flatMap(partsIn), name),
    ...asPercentile(name, (scope) => countSamples(partsIn(scope))),
  }
}

/** Computed from all runs of a row at once. */
export type OverRuns = { readonly overRuns: (scopes: readonly Scope[]) => number | string | null }

/** One value per executed operation, for charts over the operations. */
export type PerCall = { readonly perCall: (scope: Scope) => Course | null }

/** Computed from the checks of all runs. */
export type OfChecks = { readonly ofChecks: (checks: readonly CheckResult[]) => number | null }

/** The individual latencies of a phase. */
export type Course = {
  /** Values in the order of execution; x is the number of the operation in its phase, from 1. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
  /** Number of operations that were not kept. */
  readonly dropped: number
}

export type Columns = Readonly<Record<string, Column>>

type Described = 'unit' | 'source' | 'digits' | 'of'
type WithoutDescribed<One> = One extends unknown ? Omit<One, Described> : never
/** A column as its family has it: what all share is said once. */
export type ColumnEntry = WithoutDescribed<Column> & Partial<Pick<Column, Described>>
/**
 * Completes the columns of a family by what they share. Defaults: the unit is that in the brackets of the heading, and there are two decimals for
 * milliseconds, otherwise none.
 */
export function defineColumns<const Entries extends Readonly<Record<string, ColumnEntry>>>(
  shared: Pick<Column, 'source' | 'of'> & Partial<Pick<Column, 'better'>>,
  entries: Entries,
): { readonly [Name in keyof Entries]: Entries[Name] & Column } {
  const complete = (entry: ColumnEntry): object => {
    const { unit = readUnit(entry.title) } = entry
    return { unit, digits: unit === 'ms' ? 2 : 0, ...shared, ...entry }
  }
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, complete(entry)])) as {
    readonly [Name in keyof Entries]: Entries[Name] & Column
  }
}

/** Reads the unit at the end of a heading: "Reads (1/s, server)" is in 1/s. */
const readUnit = (title: string): string => /\(±?([^(),]*)(?:, server)?\)$/.exec(title)?.[1] ?? ''

/** Kinds of places for which counts and times are known. */
export const ofCalls = ['phase', 'operation', 'step'] as const

/** The source and the places of columns that the client measures for each operation. */
export const ofClient = { source: 'client', of: ofCalls } as const
