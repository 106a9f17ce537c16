import { type FaultTime } from '../results/occurrences.ts'
import { type PhaseResult, type Result, type VariantResult } from '../results/schema.ts'
import { type OperationResult, type StepResult, type StreamResult } from '../results/schema/calls.ts'
import { type Columns } from './columns/column.ts'
import { columnsKept } from './columns/own-column.ts'

export type Calls = OperationResult | StepResult

/** The data of one value: a part of one phase in one run. */
export type Scope = {
  readonly variant: VariantResult
  readonly phase: PhaseResult
  /** Empty for a stream. */
  readonly operations: readonly Calls[]
  /** Empty for an operation or a step. */
  readonly streams: readonly StreamResult[]
  /** The member whose counters server columns show. Absent: the member that takes the writes. */
  readonly member?: string
  /** The occurrence that columns of faults show. Absent: all faults of the phase. */
  readonly fault?: FaultTime
  /** Speed of the machine in the median run of the result. Absent: not measured. */
  readonly typicalMachine?: number
}

export type MetricTarget = TargetInPhase | { readonly kind: 'check'; readonly check: string }

/** A phase, or a part of it. */
export type TargetInPhase =
  | PhaseTarget
  | OperationTarget
  | { readonly kind: 'step'; readonly phase: string; readonly operation: string; readonly step: string }
  | { readonly kind: 'stream'; readonly phase: string; readonly stream: string }
  /** The sizes on disk after the last phase. */
  | { readonly kind: 'storage'; readonly phase: string }

/** A phase, or its windows of a name alone. */
export type PhaseTarget = { readonly kind: 'phase'; readonly phase: string; readonly window?: string }

export type OperationTarget = {
  readonly kind: 'operation'
  readonly phase: string
  readonly operation: string
  readonly window?: string
}

/** The names that addresses can use. */
export type Shape = {
  readonly phases: readonly PhaseShape[]
  /** Default: none. */
  readonly checks?: readonly { readonly name: string; readonly kind: string }[]
  /** Own columns, beside those of mongo-perf. Default: none. */
  readonly columns?: Columns
  /** Whether no run was completed, so that phases may be missing. Their cells stay empty. */
  readonly partial?: boolean
}

/** The names in a phase that addresses can use. */
export type PhaseShape = {
  readonly name: string
  readonly operations: readonly { readonly name: string; readonly steps: readonly string[] }[]
  readonly streams: readonly string[]
  /** Whether individual latencies are kept, for charts over the operations. */
  readonly keepsSamples: boolean
  /** Its windows: the steps of a search, or pairs with and without a load. Absent: it has one. */
  readonly windows?: 'steps' | 'pairs'
}

/** The names of all runs of a result, because an unfinished run may have fewer. */
export function describeShape(result: Pick<Result, 'variants' | 'columns'>): Shape {
  const phases = result.variants.flatMap((variant) => variant.phases)
  return {
    phases: unique(phases.map(({ name }) => name)).map((name) =>
      phaseShape(
        name,
        phases.filter((phase) => phase.name === name),
      ),
    ),
    checks: checksIn(result),
    columns: columnsKept(result.columns ?? {}),
    partial: result.variants.every(({ status }) => status !== 'done'),
  }
}

/** The checks of all rows by name; if kinds differ, the first one counts. */
const checksIn = ({ variants }: Pick<Result, 'variants'>): NonNullable<Shape['checks']> => [
  ...new Map(
    variants
      .flatMap(({ checks }) => checks)
      .toReversed()
      .map(({ name, kind }) => [name, { name, kind }]),
  ).values(),
]

function phaseShape(name: string, phases: readonly PhaseResult[]): PhaseShape {
  const operations = phases.flatMap((phase) => phase.operations)
  const stepsOf = (operation: string): readonly string[] =>
    operations.flatMap(({ name: own, steps }) => (own === operation ? steps.map((step) => step.name) : []))
  return {
    name,
    operations: unique(operations.map((operation) => operation.name)).map((operation) => ({
      name: operation,
      steps: unique(stepsOf(operation)),
    })),
    streams: unique(phases.flatMap(({ streams }) => streams.map((stream) => stream.name))),
    keepsSamples: operations.some(({ samples }) => samples !== null),
    ...findWindows(phases),
  }
}

function findWindows(phases: readonly PhaseResult[]): Pick<PhaseShape, 'windows'> {
  if (phases.some(({ outcome }) => outcome !== null)) return { windows: 'steps' }
  return phases.some(({ parallel, name }) => ![null, undefined, name].includes(parallel?.alternating))
    ? { windows: 'pairs' }
    : {}
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)]

/** Restrictions that a row adds to its scopes. */
type Narrowed = {
  readonly member?: string | null
  readonly fault?: FaultTime | null
  readonly typicalMachine?: number | null
}

/** The scope of a place in a run. Null if the run did not reach it. */
export function createScope(
  variant: VariantResult,
  target: TargetInPhase,
  { member = null, fault = null, typicalMachine = null }: Narrowed = {},
): Scope | null {
  const phase = variant.phases.find(({ name }) => name === target.phase)
  if (phase === undefined) return null
  const narrowed = {
    ...(member !== null && { member }),
    ...(fault !== null && { fault }),
    ...(typicalMachine !== null && { typicalMachine }),
  }
  const scope = { variant, phase, ...selectParts(phase, target), ...narrowed }
  if (target.kind === 'storage') return scope
  return target.kind !== 'phase' && scope.operations.length + scope.streams.length === 0 ? null : scope
}

function selectParts(phase: PhaseResult, target: TargetInPhase): Pick<Scope, 'operations' | 'streams'> {
  switch (target.kind) {
    case 'phase':
      return { operations: phase.operations, streams: phase.streams }
    case 'operation':
      return { operations: phase.operations.filter(({ name }) => name === target.operation), streams: [] }
    case 'step': {
      const operations = phase.operations.filter(({ name }) => name === target.operation)
      return {
        operations: operations.flatMap(({ steps }) => steps.filter(({ name }) => name === target.step)),
        streams: [],
      }
    }
    case 'stream':
      return { operations: [], streams: phase.streams.filter(({ name }) => name === target.stream) }
    case 'storage':
      return { operations: [], streams: [] }
  }
}

/** Transactions that were aborted on purpose. */
const countAborted = (calls: Calls): number => ('transaction' in calls ? (calls.transaction?.aborted ?? 0) : 0)

/** Number of executions of the operations, whatever their outcome. */
export function countCalls(scope: Scope): number {
  return scope.operations.reduce((sum, calls) => sum + calls.ok + calls.failed + calls.unknown + countAborted(calls), 0)
}

/** Counts the calls that used what the machines did in the window. Null: parallel loads used it too. */
export const countCallsOfWindow = (scope: Scope): number | null =>
  scope.phase.parallel === null ? countCalls({ ...scope, operations: scope.phase.operations }) : null
