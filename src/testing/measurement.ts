import { type ClientHealth } from '../results/schema/client.ts'
import { type Latency } from '../results/schema/latency.ts'
import { type OperationResult } from '../results/schema/calls.ts'
import { type Depth } from './depth.ts'
import { type CallLoad } from './function-load.ts'
import { type FirstCalls } from './sent.ts'

/** What one round found: times in milliseconds, throughput in successful calls per second. */
export type MeasuredRound = {
  readonly callsPerSecond: number
  /** Null: no call was successful. */
  readonly meanMs: number | null
  readonly p50Ms: number | null
  readonly p99Ms: number | null
  readonly client: ClientHealth
  /** Runs of a fixed kernel per second, before and after the round. */
  readonly machineSpeed: { readonly before: number; readonly after: number }
}

/** How often calls failed with one error. */
export type CallError = Pick<OperationResult['errors'][number], 'code' | 'name' | 'message' | 'count'>

/** What measuring a function found. */
export type Measurement = FirstCalls & {
  readonly name: string
  readonly depth: Depth
  /** Whether an expectation about which nothing can be said counts as missed. */
  readonly strict: boolean
  /** Median machine speed of its rounds, in percent below the fastest that this process has seen. */
  readonly machineSlowerPercent: number
  readonly load: CallLoad
  /** None at the depth "off". */
  readonly rounds: readonly MeasuredRound[]
  /** Of all rounds. */
  readonly calls: { readonly ok: number; readonly failed: number }
  readonly errors: readonly CallError[]
  /** Of the successful calls of all rounds. Null: there were none. */
  readonly latency: Latency | null
  /** Their number by latency: each entry has those that took longer than the entry before it, and no longer than this. */
  readonly distribution: readonly { readonly upToMs: number; readonly calls: number }[]
  /** Functions with the same number were measured in turn: their rounds belong together. */
  readonly series: symbol
}
