import type { LoadPlan, Pass } from '../../load/plan/plan.ts'
import type { VariantResult } from '../../results/schema.ts'
import type { MemberResources } from '../../results/schema/servers.ts'
import type { Position } from '../run-events.ts'

/** The end of a pass may be too short for a rate. */
const minLengthSeconds = 0.5

export const isLongEnough = ({ lengthSeconds }: LiveSecond): boolean => lengthSeconds >= minLengthSeconds

/** The times of a second, as users have them: in an open loop from the planned start, so that waiting is in them. */
export function getDisplayedTimes({ latency, openLoop }: LiveSecond): {
  readonly name: 'latency' | 'response'
  readonly times: LiveLatency | null
} {
  return openLoop === null
    ? { name: 'latency', times: latency }
    : { name: 'response', times: openLoop.response ?? latency }
}

/** The version of the events. It rises when an event loses a field or a field its meaning; fields may be added without that. */
export const liveVersion = 1

/** A run of a row. */
export type LiveRow = Position

/** Latencies of successful operations, in milliseconds. */
export type LiveLatency = { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number }

/** One operation in one second. */
export type LiveOperation = {
  readonly name: string
  readonly ok: number
  readonly failed: number
  /** Their outcome is unknown. */
  readonly unknown: number
  /** Null: none succeeded. */
  readonly latency: LiveLatency | null
  /** Sum of the latencies of successful operations, in milliseconds. */
  readonly sumMs: number
  /** Successful operations by latency, between edges of 1, 2 and 5 of each decade. */
  readonly distribution: readonly { readonly upToMs: number; readonly calls: number }[]
}

/** Values that an open loop adds to a second. */
export type LiveOpenLoop = {
  /** Arrivals that were not sent, because the most operations that may be in flight were. */
  readonly dropped: number
  /** Operations that were sent more than 2 ms after their time. */
  readonly late: number
  /** From the planned time to the reply. Null: no reply came. */
  readonly response: LiveLatency | null
}

/** A member as last sampled; what is older than three seconds, or not available there, is null. */
export type LiveServer = {
  readonly member: string
  readonly role: MemberResources['role']
  /** CPU time of the process; 100 is one core. */
  readonly cpuPercent: number | null
  readonly cacheBytes: number | null
  /** Configured size of the WiredTiger cache. */
  readonly cacheMaxBytes: number | null
  /** Bytes in the cache that are not yet in a data file. */
  readonly cacheDirtyBytes: number | null
}

/** A second of a pass of a phase. Seconds add up: their counts together are those of the result. */
export type LiveSecond = Pick<LiveOperation, 'ok' | 'failed' | 'unknown' | 'latency'> & {
  readonly kind: 'second'
  readonly row: LiveRow
  /** A step of a saturation search has the name of its phase and its workers. */
  readonly phase: string
  readonly pass: Pass
  /** Seconds from the beginning of the window to that of this one, from 0. */
  readonly second: number
  /** 1; less for the first and the last one of a pass, which may begin later or end earlier. */
  readonly lengthSeconds: number
  readonly operations: readonly LiveOperation[]
  /** Workers; of an open loop the most operations that may be in flight. */
  readonly workers: number
  /** Operations that waited for their replies at the end of the second. */
  readonly inFlight: number
  /** Null: the loop is closed. */
  readonly openLoop: LiveOpenLoop | null
  readonly servers: readonly LiveServer[]
}

/** Event of a run, without the time. */
export type LiveHappening =
  | {
      readonly kind: 'specBegins'
      readonly version: typeof liveVersion
      readonly spec: string
      readonly resumed: boolean
    }
  | { readonly kind: 'rowBegins'; readonly row: LiveRow }
  | {
      readonly kind: 'phaseBegins'
      readonly row: LiveRow
      readonly phase: string
      readonly pass: Pass
      readonly load: LoadPlan['kind']
      readonly workers: number
    }
  | LiveSecond
  | {
      readonly kind: 'fault'
      readonly row: LiveRow
      readonly phase: string
      readonly name: string
      /** Kind that was drawn for a random fault. */
      readonly faultKind: string
      /** A fault begins when it is "done" and ends when it is "undone". */
      readonly what: 'done' | 'undone' | 'failed'
      readonly servers: readonly string[]
      /** Seconds since the first measured operation. */
      readonly atSeconds: number
      /** Why it failed, or null. */
      readonly error: string | null
    }
  /** A pass of a phase has ended; counts are those of the pass. */
  | {
      readonly kind: 'phaseEnds'
      readonly row: LiveRow
      readonly phase: string
      readonly pass: Pass
      readonly seconds: number
      readonly ok: number
      readonly failed: number
      readonly unknown: number
    }
  /** A row has ended, and is in the result. */
  | { readonly kind: 'row'; readonly row: LiveRow; readonly status: VariantResult['status']; readonly seconds: number }
  | { readonly kind: 'specEnds'; readonly status: 'done' | 'aborted' | 'failed' }
  /** Nothing more comes. */
  | { readonly kind: 'end' }

/** An event of a run that is watched: what `--stream` writes, one JSON object a line, and what `--live` sends to browsers. */
export type LiveEvent = LiveHappening & {
  /** Time when it happened; of a second, when it was complete: an ISO 8601 time, in UTC. */
  readonly time: string
}

/** Takes the events. What it promises is waited for at the end of the phase; it must neither throw nor reject. */
export type LiveListener = (event: LiveEvent) => Promise<void> | void
