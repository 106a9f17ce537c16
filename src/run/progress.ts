import { type Progress } from '../load/progress.ts'
import { type DataSetResult, type VariantResult } from '../results/schema.ts'
import { type FaultNews } from '../servers/faults/injection/inject-faults.ts'

/** Where in the whole a thing happens. */
export type Position = {
  readonly label: string
  /** Which run of how many, from 1. */
  readonly number: number
  readonly of: number
}

/** An event of a run in progress. */
export type RunEvent = { readonly at: Position } & (
  | { readonly kind: 'target'; readonly target: string }
  /** The servers of this row, and of the rows after it that ask for the same, answer, and are held to its limits. */
  | { readonly kind: 'ready'; readonly commands: readonly string[] }
  | {
      readonly kind: 'load'
      readonly collection: string
      readonly documents: number
      /** How many there will be; of a file, estimated from its size. */
      readonly of: number
      readonly ratePerSecond: number
    }
  /** A collection has been created, sharded or indexed, or its rules have been changed. */
  | { readonly kind: 'setUp'; readonly collection: string; readonly commands: readonly string[] }
  /** A collection is as the row wants it. */
  | { readonly kind: 'loaded'; readonly data: DataSetResult }
  | { readonly kind: 'settle' }
  | { readonly kind: 'phase'; readonly progress: Progress }
  /** Something was done to the servers on purpose, or undone. */
  | { readonly kind: 'fault'; readonly news: FaultNews }
  /** What a phase left is looked at. */
  | { readonly kind: 'check'; readonly name: string }
  | { readonly kind: 'row'; readonly variant: VariantResult }
  | { readonly kind: 'skipped' }
  /** A run of this row was slow, and begins again. */
  | { readonly kind: 'again'; readonly because: string }
)

/** Receives the events of a run. */
export type OnProgress = (event: RunEvent) => void
