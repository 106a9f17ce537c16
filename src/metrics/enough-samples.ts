import { type Column } from './columns/column.ts'
import { samplesNeeded } from './percentile.ts'
import { type Scope } from './scope.ts'
import { sum } from './statistics.ts'

/** The samples of a percentile over some runs. */
export type Samples = { readonly needed: number; readonly found: number }

/** How many samples a percentile has, and how many it needs. Null: the column is no percentile. */
export function samplesFor(column: Column, scopes: readonly Scope[]): Samples | null {
  const percentile = 'value' in column ? column.percentile : undefined
  if (percentile === undefined) return null
  const found = sum(scopes.map((scope) => percentile.samples(scope) ?? 0))
  return { needed: samplesNeeded(percentile.share), found }
}

/** Whether a value is more than chance: a percentile needs samples above it, other values need none. */
export function hasEnoughSamples(column: Column, scopes: readonly Scope[]): boolean {
  const samples = samplesFor(column, scopes)
  return samples === null || samples.found >= samples.needed
}
