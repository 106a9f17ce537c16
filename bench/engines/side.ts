import { type SpecInput } from '../../src/spec/spec-input.ts'
import { type Cost } from '../benchmark.ts'

/** Clients that are compared, in the order in which they are shown. */
export const sideNames = ['driver', 'wire', 'plain sockets', 'C loop', 'go-ycsb'] as const

/** One of them. */
export type SideName = (typeof sideNames)[number]

/** Sides that run in a process of Node. */
export type NodeSideName = Exclude<SideName, 'C loop' | 'go-ycsb'>

/** The load that every side of a work makes. The loops that are no engine know `findOne` by key alone. */
export type SideLoad = {
  readonly uri: string
  readonly spec: SpecInput
  readonly workers: number
  /** Documents of the collection, with the `_id`s from 0 on. */
  readonly keys: number
}

/** Cost of an operation to a client, all of it in its process alone. */
export type SideCost = Cost & {
  /** Share of the time in which its event loop had work. Undefined: it has none. */
  readonly loopBusy?: number
}

/** A client, connected. */
export type Side = AsyncDisposable & { readonly measure: (operations: number) => Promise<SideCost> }

/** How much of a core a client took. */
export const shareOfCore = ({ wallUs, cpuUs }: Cost): number => cpuUs / wallUs

/** From this share of the time on, a client is the limit. */
const limitedFrom = 0.9

/**
 * Whether throughput is what the client can do, and not what the server can. On a machine that both share, a client gets no
 * whole core although it always has work.
 */
export const isLimit = (cost: SideCost): boolean => Math.max(shareOfCore(cost), cost.loopBusy ?? 0) >= limitedFrom

/** Database that the sides read and write. */
export const database = 'bench'

/** The collection of the specs of this bench. */
export const collection = 'documents'

/** Read concern of the phases of the specs: a command with it is more work for the server. */
export const readConcern = { level: 'local' } as const
