import { type Scope } from '../scope.ts'

/** One number per second of the window. Null: none was taken in that second. */
export type Series = readonly (number | null)[]

export type Column = {
  /** Heading, with the unit. */
  readonly title: string
  readonly unit: string
  /** One sentence: where the number comes from, and what is divided by what. */
  readonly meaning: string
  /** Which command has to work for it; "client" is counted or timed by this tool. */
  readonly source: 'client' | 'serverStatus' | 'getDiagnosticData'
  /** Decimals to print, unless the spec says otherwise. */
  readonly digits: number
  /** "phase": cannot be told for one operation among several. */
  readonly of: 'operations' | 'phase'
} & (PerRun | OverRuns)

/** Computed for each run; a row shows the median of its runs. Null is "not known", and prints as an empty cell. */
export type PerRun = {
  readonly value: (scope: Scope) => number | null
  /** Null when it cannot be told for these operations together. */
  readonly perSecond?: (scope: Scope) => Series | null
}

/** Computed from all runs of a row at once. */
export type OverRuns = { readonly overRuns: (scopes: readonly Scope[]) => number | string | null }

export type Columns = Readonly<Record<string, Column>>
