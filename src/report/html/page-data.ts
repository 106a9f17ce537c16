import { type Series } from '../../metrics/columns/column.ts'
import { type Band, type LimitedTrust, type Strip } from '../charts/picture.ts'

/** Data of one result that the script of a page reads, beside its charts: unpacked when something needs it. */
export type PageData = {
  readonly spec: unknown
  readonly timeLines: readonly TimeLine[]
  readonly runPoints: readonly RunPoints[]
  readonly percentiles: readonly PercentileLine[]
  readonly files: readonly DataFile[]
}

/** A file to download. */
export type DataFile = {
  readonly name: string
  /** JSON is written again as one line. */
  readonly content: { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'csv'; readonly text: string }
  /** Parts left out of it, to keep the page small. Empty: none. */
  readonly leftOut: string
}

/** A phase of one run over time. */
export type TimeLine = {
  readonly label: string
  /** The end of the window, in seconds. */
  readonly end: number
  /** Seconds that one value stands for. */
  readonly step: number
  readonly operations: readonly OperationLine[]
  /** Operations of an open loop that were due and never sent, per second. Absent: all were sent. */
  readonly unsent?: Series
  readonly panels: readonly ServerPanel[]
  readonly bands: readonly Band[]
  readonly strips: readonly Strip[]
  /** Whether latencies count from the planned start of each operation. */
  readonly isFromPlan: boolean
}

/** An operation over time: rates per second, and latencies in milliseconds. */
export type OperationLine = {
  readonly name: string
  readonly ok: Series
  readonly errors: Series
  readonly p50: Series
  readonly p99: Series
  readonly max: Series
  /** The lowest latency of the whole phase. */
  readonly minMs: number
  /** For each step the number of a bin of latencies, and the numbers of operations from that bin on. Empty: the result has none. */
  readonly histograms: readonly (readonly number[])[]
}

/** Figures of the servers over time. */
export type ServerPanel = {
  readonly title: string
  readonly lines: readonly { readonly label: string; readonly values: Series }[]
}

/** The values of a measure in each run of each row. */
export type RunPoints = {
  readonly title: string
  /** Meaning of hollow and crossed points. Empty: there are none. */
  readonly remark: string
  readonly rows: readonly {
    readonly label: string
    readonly values: readonly number[]
    /** The figure in the tables. Null: unknown. */
    readonly figure: number | null
    /** Absent: the row compares with others. */
    readonly trust?: LimitedTrust
  }[]
}

/** Latencies in milliseconds by the percentiles of `percentileGrid`, up to the last with enough samples. */
export type PercentileLine = {
  readonly label: string
  readonly ms: readonly number[]
  /** Whether they count from the planned start of each operation. */
  readonly isFromPlan: boolean
}

const pointsPerDecade = 8

/** 1 / (1 - share) of the points of a percentile line: a median is at 2, a p99 at 100. */
export const percentileAt = (index: number): number => 10 ** (index / pointsPerDecade)
