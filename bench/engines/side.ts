import { type SpecInput } from '../../src/define-spec.ts'
import { type Cost } from '../benchmark.ts'

/** Clients that are compared, in the order in which they are shown. */
export const sideNames = ['driver', 'wire', 'plain sockets', 'C loop', 'go-ycsb'] as const

/** One of them. */
export type SideName = (typeof sideNames)[number]

/** Those that run in a process of Node. */
export type NodeSideName = Exclude<SideName, 'C loop' | 'go-ycsb'>

/** The load that every side of a work makes. The loops that are no engine know `findOne` by key alone. */
export type SideLoad = {
  readonly uri: string
  readonly spec: SpecInput
  readonly workers: number
  /** Documents of the collection, with the `_id`s from 0 on. */
  readonly keys: number
}

/** A client, connected. What it takes is that of its process alone. */
export type Side = AsyncDisposable & { readonly measure: (operations: number) => Promise<Cost> }

/** How much of a core a client took. */
export const shareOfCore = ({ wallUs, cpuUs }: Cost): number => cpuUs / wallUs

/** Where everything is that the sides read and write. */
export const database = 'bench'

/** The collection of the specs of this bench. */
export const collection = 'documents'
