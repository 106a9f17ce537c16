import { Problem } from '../../core/errors.ts'
import { type PhaseResult, type Result, type VariantResult } from '../../results/schema.ts'
import { type RowWarning } from '../../results/warnings/weights.ts'
import { isMetric } from './index.ts'
import { type ColumnScope, keptColumns, type OwnColumn, type OwnColumns } from './own-column.ts'

/**
 * Adds own columns to a result: their values in each run, in the place of earlier ones of the same name.
 * @throws {Problem} "usage" for a name that cannot be one of an own column.
 */
export function withColumns(result: Result, columns: OwnColumns): Result {
  refuseNames(columns)
  return {
    ...result,
    columns: { ...result.columns, ...keptColumns(columns) },
    variants: result.variants.map((variant) => withOwnColumns(variant, columns)),
  }
}

/**
 * Refuses names of own columns that addresses could not use, or that are taken.
 * @throws {Problem} "usage"
 */
export function refuseNames(columns: OwnColumns): void {
  for (const name of Object.keys(columns)) {
    const reason = reasonAgainst(name)
    if (reason !== undefined)
      throw new Problem('usage', `"${name}" cannot be the name of a custom column: ${reason}`, {
        hint: 'Choose another name, and use it in the report of the spec.',
      })
  }
}

function reasonAgainst(name: string): string | undefined {
  if (isMetric(name)) return 'mongo-perf has a column of this name'
  return /^[A-Za-z]\w*$/.test(name) ? undefined : 'it must begin with a letter, and have only letters, digits and "_"'
}

/** Computes own columns for the phases and operations of one run. What a column throws becomes a warning. */
export function withOwnColumns(variant: VariantResult, columns: OwnColumns): VariantResult {
  if (Object.keys(columns).length === 0) return variant
  const failures = new Map<string, RowWarning>()
  const valuesOf = (scope: ColumnScope): NonNullable<PhaseResult['columns']> =>
    Object.fromEntries(
      Object.entries(columns).map(([name, column]) => [
        name,
        orFailure(name, () => evaluateOwnColumn(column, scope), failures),
      ]),
    )
  const timed = Object.entries(columns).flatMap(([name, column]) =>
    column.isText !== true && column.perSecond !== undefined ? [[name, column.perSecond] as const] : [],
  )
  const seriesOf = (scope: ColumnScope): NonNullable<PhaseResult['columnsPerSecond']> =>
    Object.fromEntries(
      timed.map(([name, perSecond]) => [name, orFailure(name, () => perSecond(scope).map(toFinite), failures) ?? []]),
    )
  const phases = variant.phases.map((phase) => ({
    ...phase,
    columns: { ...phase.columns, ...valuesOf({ variant, phase, operations: phase.operations }) },
    ...(timed.length > 0 && {
      columnsPerSecond: {
        ...phase.columnsPerSecond,
        ...seriesOf({ variant, phase, operations: phase.operations }),
      },
    }),
    operations: phase.operations.map((operation) => ({
      ...operation,
      columns: { ...operation.columns, ...valuesOf({ variant, phase, operations: [operation] }) },
    })),
  }))
  // Of a column that is handed in again, those of its former function are over.
  const others = variant.warnings.filter(
    ({ message }) => !Object.keys(columns).some((name) => message.startsWith(describeFailure(name))),
  )
  return { ...variant, phases, warnings: [...others, ...failures.values()] }
}

function evaluateOwnColumn(column: OwnColumn, scope: ColumnScope): number | string | null {
  const value: unknown = column.value(scope)
  if (column.isText === true) return typeof value === 'string' ? value : null
  return toFinite(value)
}

const toFinite = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

function orFailure<Value>(name: string, evaluate: () => Value, failures: Map<string, RowWarning>): Value | null {
  try {
    return evaluate()
  } catch (error) {
    failures.set(name, {
      code: 'column-failed',
      message: `${describeFailure(name)} ${error instanceof Error ? error.message : String(error)}`,
      advice: 'Fix its function, and hand it to report(result, { columns }): you need not measure again.',
    })
    return null
  }
}

const describeFailure = (name: string): string => `The custom column "${name}" could not be computed:`
