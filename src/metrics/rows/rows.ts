import { distinct } from '../../core/json.ts'
import { groupDigits } from '../../core/quantities.ts'
import { type FaultTime, listOccurrences } from '../../results/occurrences.ts'
import { type CheckResult, type Result, type VariantResult } from '../../results/schema.ts'
import { type MemberResources } from '../../results/schema/servers.ts'
import { type Address } from '../address.ts'
import { type Column, type PerRun } from '../columns/column.ts'
import { typicalMachine } from '../columns/machine-speed.ts'
import { hasEnoughSamples, samplesFor } from '../latency.ts'
import { type RowPart, type TableRows } from '../report-schema.ts'
import {
  type OperationTarget,
  type PhaseTarget,
  type MetricTarget,
  type Scope,
  type TargetInPhase,
  createScope,
} from '../scope.ts'
import { isNumber, median } from '../statistics.ts'
import { faultCell, type FaultPart, isFaultPart } from './row-parts.ts'
import { listWindows, type NamedWindows, narrowToWindows } from './windows.ts'

/** A row of a table, or a point of a chart. */
export type Row = {
  /** A run of the row, for what is the same in all runs: parameters, label, facts. */
  readonly variant: VariantResult
  /** The runs that its cells show together. */
  readonly runs: readonly VariantResult[]
  /** Number of unfinished runs that are excluded, not counting start-up runs. */
  readonly leftOut: number
  /** Place of measures without one, if the row is an operation, or a fault of a phase. */
  readonly target: OperationTarget | PhaseTarget | null
  /** The windows of a phase that it shows, where it is one of several. */
  readonly ofWindows?: NamedWindows
  /** The member whose server columns the row shows. Null: the member that takes the writes. */
  readonly member: string | null
  /** The occurrence whose figures columns of faults show. Null: all faults. */
  readonly fault: FaultTime | null
  /** Speed of the machine in the median run of the result. Null: not measured. */
  readonly typicalMachine: number | null
  readonly kind: TableRows
}

/** A cell of a table. Null: unknown. */
export type Cell = number | string | null

type Whole = Omit<Row, 'target' | 'member' | 'fault'>

const wholeRow = (row: Whole): Row => ({ ...row, target: null, member: null, fault: null })

/** A row for a part of what another row shows. */
const narrowRow = (row: Row, part: Partial<Pick<Row, 'target' | 'member' | 'ofWindows' | 'fault'>>): Row => ({
  ...row,
  ...part,
})

export function listRows(result: Result, kind: TableRows): readonly Row[] {
  const ofResult = { kind, typicalMachine: typicalMachine(result) }
  if (kind === 'runs')
    return result.variants
      .toSorted((a, b) => a.row - b.row || a.run - b.run)
      .map((variant) => wholeRow({ variant, runs: [variant], leftOut: 0, ...ofResult }))
  const variants = variantRows(result, ofResult)
  return kind === 'once' ? variants.slice(0, 1) : variants.flatMap(partsOfRow[kind])
}

const partsOfRow: Readonly<Record<Exclude<TableRows, 'runs' | 'once'>, (row: Row) => Row | readonly Row[]>> = {
  variants: (row) => row,
  operations: operationRows,
  members: memberRows,
  faults: faultRows,
  windows: (row) => listWindows(row.runs).map((ofWindows) => narrowRow(row, { ofWindows })),
}

function variantRows(result: Result, ofResult: Pick<Row, 'kind' | 'typicalMachine'>): readonly Row[] {
  const numbers = [...new Set(result.variants.map(({ row }) => row))].toSorted((a, b) => a - b)
  return numbers.flatMap((number) => {
    const all = result.variants.filter(({ row }) => row === number)
    const runs = runsThatCount(all)
    const [variant] = runs
    const leftOut = all.filter((run) => !run.startUp && !runs.includes(run)).length
    return variant === undefined ? [] : [wholeRow({ variant, runs, leftOut, ...ofResult })]
  })
}

/** The runs that count: start-up and unfinished runs are used only if there are no others. */
function runsThatCount(runs: readonly VariantResult[]): readonly VariantResult[] {
  const counted = runs.filter(({ startUp }) => !startUp)
  const choices = [counted.filter(({ status }) => status === 'done'), counted, runs]
  return choices.find((choice) => choice.length > 0) ?? []
}

function operationRows(row: Row): readonly Row[] {
  const operationTargets = new Map(
    row.runs
      .flatMap((run) => run.phases)
      .flatMap((phase) =>
        phase.operations.map(({ name }): [string, OperationTarget] => [
          `${phase.name}\n${name}`,
          { kind: 'operation', phase: phase.name, operation: name },
        ]),
      ),
  )
  return [...operationTargets.values()].map((target) => narrowRow(row, { target }))
}

function memberRows(row: Row): readonly Row[] {
  const names = new Set(membersIn(row).map(({ member }) => member))
  return [...names].map((member) => narrowRow(row, { member }))
}

function faultRows(row: Row): readonly Row[] {
  const times = row.runs
    .flatMap(({ phases }) => phases)
    .flatMap(({ name: phase, faults }) =>
      listOccurrences(faults).map(({ fault, occurrence }) => ({ phase, fault, occurrence })),
    )
  return distinct(times).map(({ phase, ...fault }) => narrowRow(row, { target: { kind: 'phase', phase }, fault }))
}

const membersIn = ({ runs }: Row): readonly MemberResources[] =>
  runs.flatMap(({ phases }) => phases.flatMap(({ members }) => members))

/** The scopes of an address in a row, one for each run that has it, or for each of its windows of a name. */
export function listScopes(row: Row, address: Address): readonly Scope[] {
  const target = address.target ?? row.target
  if (target === null || target.kind === 'check') return []
  return row.runs
    .flatMap((run) => createScope(run, target, row) ?? [])
    .flatMap((scope) => narrowScope(scope, target, row))
    .filter((scope) => isKnown(address.column, target, scope))
}

function narrowScope(scope: Scope, target: TargetInPhase, { ofWindows }: Row): readonly Scope[] {
  const window = ('window' in target && target.window) || ofWindows?.window
  if (window === undefined) return [scope]
  const isOfRow = ofWindows === undefined || ofWindows.phase === scope.phase.name
  return isOfRow ? narrowToWindows(scope, target, window) : []
}

const listCheckResults = ({ runs }: Row, { target }: Address): readonly CheckResult[] =>
  runs.flatMap(({ checks }) => checks.filter(({ name }) => target?.kind === 'check' && name === target.check))

/** Whether a measure is known for a scope: one of a whole phase is not known for one of several operations. */
function isKnown({ of }: Column, { kind }: MetricTarget, { phase }: Scope): boolean {
  return of.includes(kind) || (kind === 'operation' && of.includes('phase') && phase.operations.length === 1)
}

/** The cell of a measure. Empty for a percentile with too few samples. */
export function measuredCell(row: Row, address: Address): Cell {
  return hasEnoughSamples(address.column, listScopes(row, address)) ? computeFigure(row, address) : null
}

/** Why a percentile is not known: "too few: 27 of 1,000". Null: it has enough, or none at all, or the measure is none. */
export function whyUnknown(row: Row, address: Address): string | null {
  const { found, needed } = samplesFor(address.column, listScopes(row, address)) ?? { found: 0, needed: 0 }
  return found === 0 || found >= needed ? null : `too few: ${groupDigits(found)} of ${groupDigits(needed)}`
}

/** The figure of a measure, also of a percentile with too few samples: as its column combines the runs, or their median. */
export function computeFigure(row: Row, address: Address): Cell {
  const { column } = address
  if ('ofChecks' in column) return column.ofChecks(listCheckResults(row, address))
  const scopes = listScopes(row, address)
  if (scopes.length === 0) return null
  if ('overRuns' in column) return column.overRuns(scopes)
  return 'value' in column ? figureOfRuns(column, scopes) : null
}

function figureOfRuns({ value, together }: PerRun, scopes: readonly Scope[]): number | null {
  const ofAll = scopes.length > 1 ? together?.(scopes) : null
  return ofAll ?? median(scopes.map(value).filter(isNumber))
}

/** The value of each run, for its range. Empty for measures that are not computed by run; without percentiles of too few samples. */
export function listRunValues(row: Row, address: Address): readonly number[] {
  const { column } = address
  if (!('value' in column)) return []
  const scopes = listScopes(row, address).filter((scope) => hasEnoughSamples(column, [scope]))
  return scopes.map(column.value).filter(isNumber)
}

export const rowPartTitles = {
  number: 'Row',
  run: 'Run',
  operation: 'Operation',
  member: 'Member',
  role: 'Role',
  window: 'Window',
  letter: 'Row',
  serverVersion: 'Server Version',
  topology: 'Topology',
  phase: 'Phase',
  fault: 'Fault',
  occurrence: 'Occurrence',
  faultKind: 'Kind of Fault',
  targets: 'Targets',
  primary: 'Primary',
  term: 'Term',
  errorLabels: 'Errors by Label',
} as const satisfies Record<RowPart, string>

/**
 * A part of a row as a cell.
 * @param index Position of the row, from 0. Default: that in the spec.
 */
export const rowPartCell = (row: Row, part: RowPart, index: number = row.variant.row): Cell =>
  isFaultPart(part) ? faultCell(row, part) : cells[part](row, index)

const cells: Readonly<Record<Exclude<RowPart, FaultPart>, (row: Row, index: number) => Cell>> = {
  number: (_, index) => index + 1,
  run: ({ variant }) => variant.run,
  operation: ({ target }) => (target?.kind === 'operation' ? target.operation : null),
  member: ({ member }) => member,
  role: describeRoles,
  window: windowCell,
  letter: (_, index) => letters(index),
  serverVersion: ({ variant }) => variant.server?.version ?? null,
  topology: ({ variant }) => variant.server?.topology ?? null,
}

/** The place of a step as a number, or the name of windows of pairs. */
function windowCell({ ofWindows }: Row): Cell {
  if (ofWindows === undefined) return null
  const place = Number(ofWindows.window)
  return Number.isNaN(place) ? ofWindows.window : place
}

/** The roles of a member at the beginning of the windows: all distinct ones, because elections may change them. */
function describeRoles(row: Row): Cell {
  const roles = membersIn(row).flatMap(({ member, role }) => (member === row.member ? role : []))
  return roles.length === 0 ? null : [...new Set(roles)].join('; ')
}

/** A to Z, then AA, AB and so on. */
function letters(index: number): string {
  const last = String.fromCharCode('A'.charCodeAt(0) + (index % 26))
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last
}
