import { type CheckResult } from '../../results/schema.ts'
import { type MemberResources } from '../../results/schema/servers.ts'
import { type Place, type Scope } from '../scope.ts'

/** One number per second of the window. Null: none was taken in that second. */
export type Series = readonly (number | null)[]

/** What a member tells of itself. */
export type MetricName = keyof MemberResources['totals']

export type Column = {
  /** Heading, with the unit. */
  readonly title: string
  readonly unit: string
  /** One sentence: where the number comes from, and what is divided by what. */
  readonly meaning: string
  /** Which command has to work for it; "client" is counted or timed by this tool, "facts" are what the spec says of the target, "faults" what was seen while faults happened. */
  readonly source:
    | 'client'
    | 'serverStatus'
    | 'getDiagnosticData'
    | 'hostInfo'
    | 'collStats'
    | 'explain'
    | 'facts'
    | 'faults'
  /** Decimals to print, unless the spec says otherwise. */
  readonly digits: number
  /** What it can be told for. */
  readonly of: readonly Place['kind'][]
  /** It cannot be drawn or compared. Default: it is a number. */
  readonly isText?: true
  /** Of several faults it shows the worst. */
  readonly ofWorstFault?: true
} & (PerRun | OverRuns | PerCall | OfChecks)

/** Computed for each run; a row shows the median of its runs. Null is "not known", and prints as an empty cell. */
export type PerRun = {
  readonly value: (scope: Scope) => number | null
  /** Null when it cannot be told for these operations together. */
  readonly perSecond?: (scope: Scope) => Series | null
  /** What it reads of a member: a compact result keeps no more of the members that its tables show. */
  readonly metrics?: readonly MetricName[]
}

/** Computed from all runs of a row at once. */
export type OverRuns = { readonly overRuns: (scopes: readonly Scope[]) => number | string | null }

/** A value of each single call, for charts over the operations alone. */
export type PerCall = { readonly perCall: (scope: Scope) => Course | null }

/** Told by a check of each run. */
export type OfChecks = { readonly ofChecks: (checks: readonly CheckResult[]) => number | null }

export type Course = {
  /** In the order of the calls; x is the number of the call in its phase, from 1. */
  readonly points: readonly { readonly x: number; readonly y: number }[]
  /** Calls beyond those that were kept. */
  readonly dropped: number
}

export type Columns = Readonly<Record<string, Column>>

/** What counts and times of calls can be told for. */
export const ofCalls = ['phase', 'operation', 'step'] as const
