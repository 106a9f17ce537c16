import { type CallWork } from '../../metrics/work.ts'
import { type OperationResult } from '../../results/schema/calls.ts'
import { type ClientHealth } from '../../results/schema/client.ts'
import { type Latency } from '../../results/schema/latency.ts'
import { type FirstCalls } from './sent.ts'
import { type CallLoad } from './work/work.ts'

/** Findings of one round: times in milliseconds, throughput in successful calls per second. */
export type MeasuredRound = {
  readonly callsPerSecond: number
  /** Null: no call was successful. */
  readonly meanMs: number | null
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  /** CPU time of this process in microseconds, for each call. Null: no call was made. */
  readonly cpuUs: number | null
  readonly client: ClientHealth
  /** Runs of a fixed kernel per second, before and after the round. */
  readonly machineSpeed: { readonly before: number; readonly after: number }
}

/** How often calls failed with one error. */
export type CallError = Pick<OperationResult['errors'][number], 'code' | 'name' | 'message' | 'count'>

/** The name of a function that has none. */
export const unnamed = 'the function'

/** Findings about a function or an operation. */
export type Measurement = FirstCalls & {
  readonly name: string
  /** Work of a call, from the calls before the timed ones: for each count the largest. Null: their commands were not seen. */
  readonly work: CallWork | null
  /** Why nothing was timed, so that there are no rounds: the depth is "off", or the time budget is spent. Null: it was timed. */
  readonly notTimed: string | null
  /** Whether an expectation about which nothing can be said counts as missed. */
  readonly strict: boolean
  /** Median machine speed of its rounds, in runs of a fixed kernel per second. Null where nothing was timed. */
  readonly machineSpeed: number | null
  /** How far that is below the median of all measurements of this process, in percent. */
  readonly machineSlowerPercent: number
  readonly load: CallLoad
  /** None where nothing was timed. */
  readonly rounds: readonly MeasuredRound[]
  readonly calls: { readonly ok: number; readonly failed: number }
  readonly errors: readonly CallError[]
  /** Latency of the successful calls of all rounds. Null: there were none. */
  readonly latency: Latency | null
  /** Their number by latency: each entry has those that took longer than the entry before it, and no longer than this. */
  readonly distribution: readonly { readonly upToMs: number; readonly calls: number }[]
  /** Measurements with the same symbol were made in turn: their rounds belong together. */
  readonly series: symbol
}
