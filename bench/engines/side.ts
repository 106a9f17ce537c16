import { type SpecInput } from '../../src/define-spec.ts'
import { type Cost } from '../benchmark.ts'

/** Clients that run in a process of Node. */
export type NodeSideName = 'driver' | 'wire' | 'plain sockets'

/** Clients that are compared. */
export type SideName = NodeSideName | 'C loop' | 'go-ycsb'

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

/** What an operation took, and the process after it. */
export const shareOfCore = ({ wallUs, cpuUs }: Cost): number => cpuUs / wallUs

/** Where everything is that the sides read and write. */
export const database = 'bench'

/** The collection of the specs of this bench. */
export const collection = 'documents'
