import { type PhaseResult, type Result, type VariantResult } from '../../results/schema.ts'
import { type OperationResult } from '../../results/schema/calls.ts'
import { type Scope } from '../scope.ts'
import { isNumber } from '../statistics.ts'
import { type Column, type Columns, type Series } from './column.ts'

/** Scope that a value of an own column is computed from: a phase of one run of a row, or one of its operations. */
export type ColumnScope = {
  readonly variant: VariantResult
  readonly phase: PhaseResult
  /** All operations of the phase, or the one that the address names. */
  readonly operations: readonly OperationResult[]
}

/**
 * A column that is handed in. Its value is computed once for each run and is a part of the result, so that reports and comparisons of a stored
 * result have it too. What it throws is a warning in the result, and an empty cell.
 */
export type OwnColumn = {
  /** Heading, with the unit. */
  readonly title: string
} & (OwnNumber | OwnText)

export type OwnNumber = {
  /** Default: none. */
  readonly unit?: string
  /** Number of decimals, 0 to 9. Default 2. */
  readonly digits?: number
  /** Direction of better values, so that two results can be compared by it. Default: neither is better. */
  readonly better?: 'higher' | 'lower'
  readonly isText?: false
  /** Computes the value; of several runs the median is shown. Null, or what is no finite number: unknown, an empty cell. */
  readonly value: (scope: ColumnScope) => number | null
  /** Returns a value for each second of the window of a phase, for charts over time. Null: unknown in that second. Default: none. */
  readonly perSecond?: (scope: ColumnScope) => Series
}

type OwnText = {
  /** It cannot be drawn or compared. */
  readonly isText: true
  /** Computes the text; of several runs the different texts are shown. Null: an empty cell. */
  readonly value: (scope: ColumnScope) => string | null
}

/** Own columns by the names that tables, charts and thresholds use. */
export type OwnColumns = Readonly<Record<string, OwnColumn>>

/** How own columns look, as results keep it. */
export type KeptColumns = NonNullable<Result['columns']>

const defaultDigits = 2

/** Returns what a result keeps of own columns: how they look. */
export const keptColumns = (columns: OwnColumns): KeptColumns =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, keptColumn(column)]))

function keptColumn(column: OwnColumn): KeptColumns[string] {
  if (column.isText === true) return { title: column.title, unit: '', digits: 0, isText: true }
  const { title, unit = '', digits = defaultDigits, better, perSecond } = column
  return {
    title,
    unit,
    digits,
    ...(better !== undefined && { better }),
    ...(perSecond !== undefined && { perSecond: true as const }),
  }
}

/** Own columns of a result, whose values it has. */
export const columnsKept = (kept: KeptColumns): Columns =>
  Object.fromEntries(Object.entries(kept).map(([name, looks]) => [name, columnKept(name, looks)]))

function columnKept(name: string, { title, unit, digits, better, isText, perSecond }: KeptColumns[string]): Column {
  const looks = {
    title,
    unit,
    digits,
    meaning: 'Computed by a custom function.',
    source: 'client',
    of: ['phase', 'operation'],
    ...(better !== undefined && { better }),
  } as const
  if (isText === true)
    return { ...looks, isText, overRuns: (scopes) => joinTexts(scopes.map((scope) => valueIn(scope, name))) }
  return {
    ...looks,
    value: (scope) => {
      const value = valueIn(scope, name)
      return isNumber(value) ? value : null
    },
    ...(perSecond === true && {
      perSecond: ({ phase, operations }: Scope): Series | null =>
        operations === phase.operations ? (phase.columnsPerSecond?.[name] ?? null) : null,
    }),
  }
}

function valueIn({ phase, operations }: Scope, name: string): number | string | null {
  const [first] = operations
  const measured =
    operations === phase.operations ? phase : first !== undefined && 'columns' in first ? first : undefined
  return measured?.columns?.[name] ?? null
}

function joinTexts(values: readonly (number | string | null)[]): string | null {
  const texts = [...new Set(values.filter((value) => typeof value === 'string'))]
  return texts.length === 0 ? null : texts.join('; ')
}
