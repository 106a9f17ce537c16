import { type Properties } from '../go-ycsb.ts'
import { type CpuSample, type TimeSpan } from './cpu-samples.ts'

export const toolNames = ['YCSB', 'go-ycsb', 'mongo-perf driver', 'mongo-perf wire'] as const
export type ToolName = (typeof toolNames)[number]

/** Kinds of operations, as YCSB names them. */
export const kinds = ['READ', 'UPDATE', 'INSERT', 'SCAN', 'READ-MODIFY-WRITE'] as const
export type Kind = (typeof kinds)[number]

/** A workload to be run by every tool. */
export type Job = {
  /** A property file of YCSB. */
  readonly file: string
  /** Go before those of the file. */
  readonly properties: Properties
  /** How long the warm-up is, and how long the timed window. */
  readonly seconds: number
  /** PID of the server. */
  readonly server: number
  /** An empty folder for files of the tool. */
  readonly folder: string
}

/** Figures of a timed window, by the tool itself. */
export type Figures = {
  readonly opsPerSecond: number
  readonly p99Ms: Readonly<Partial<Record<Kind, number>>>
  /** Operations that failed or found nothing. */
  readonly failures: number
  readonly window: TimeSpan
  /** Throughput in the warm-up. Undefined: the tool does not print it. */
  readonly warmupOpsPerSecond?: number
}

/** A run of a tool, with the CPU time of client and server since its start. */
export type ToolRun = { readonly figures: Figures; readonly cpu: readonly CpuSample[] }

/** A client that runs a workload of YCSB on a collection that is there. */
export type Tool = {
  readonly name: ToolName
  /** Makes ready for a workload; what it inserts is removed afterwards. */
  readonly prepare: (job: Job) => Promise<() => Promise<ToolRun>>
}

/** A tool that also loads the collection. */
export type LoadingTool = Tool & { readonly load: (job: Job) => Promise<void> }
