import { type VariantResult } from '../results/schema.ts'
import { type Progress } from '../schedule/progress.ts'

/** Where in the whole a thing happens. */
export type Position = {
  readonly label: string
  /** Which run of how many, from 1. */
  readonly number: number
  readonly of: number
}

/** What a run tells while it goes on. Nothing needs to listen. */
export type RunEvent =
  | { readonly kind: 'target'; readonly at: Position; readonly message: string }
  | { readonly kind: 'load'; readonly at: Position; readonly collection: string; readonly documents: number; readonly of: number; readonly ratePerSecond: number }
  | { readonly kind: 'settle'; readonly at: Position }
  | { readonly kind: 'phase'; readonly at: Position; readonly progress: Progress }
  | { readonly kind: 'row'; readonly at: Position; readonly variant: VariantResult }
  | { readonly kind: 'skipped'; readonly at: Position }

export type OnProgress = (event: RunEvent) => void
