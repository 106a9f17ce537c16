import { Problem } from '../core/errors.ts'
import { didYouMean, nearest } from '../core/nearest.ts'
import { type Result } from '../results/schema.ts'
import { readAddress } from './address.ts'
import { measures } from './columns/index.ts'
import { labelName } from './rows/parameters.ts'
import { measuredCell, type Row, listRows } from './rows/rows.ts'
import { type At, isAt } from './rows/siblings.ts'
import { describeShape } from './scope.ts'

/** A row by its label, or by values or labels of its parameters: `{ batch: 100 }`. */
export type RowChoice = string | At

/**
 * One figure of a result, by the address that columns and thresholds use: the runs of a row together, as tables show them.
 * @param address Such as "p99Ms" or "mix.findOne.p99Ms".
 * @param row Which row. May be left out where there is only one.
 * @returns Null where nothing was measured.
 * @throws {Problem} "usage" when there is no such figure or row, or several.
 */
export function readMetric(result: Result, address: string, row?: RowChoice): number | null {
  const found = readAddress(address, describeShape(result))
  if ('reason' in found) throw noMetric(address, found.reason, found.nearest)
  if (found.column.isText) throw noMetric(address, `"${found.metric}" is not a number`, null)
  const value = measuredCell(chooseRow(listRows(result, 'variants'), row), found)
  return typeof value === 'number' ? value : null
}

function noMetric(address: string, reason: string, near: string | null): Problem {
  return new Problem('usage', `The result has no metric "${address}": ${reason}`, {
    hint: near === null ? `The metrics are ${measures.join(', ')}.` : `Did you mean "${near}"?`,
  })
}

function chooseRow(rows: readonly Row[], choice: RowChoice = {}): Row {
  const at: At = typeof choice === 'string' ? { [labelName]: choice } : choice
  checkNames(at, rows)
  const fitting = rows.filter(({ variant }) => isAt(variant, at))
  const [row, ...others] = fitting
  if (row === undefined) throw noRow(choice, rows)
  if (others.length === 0) return row
  throw new Problem('usage', `${fitting.length} rows match; select exactly one`, {
    hint: `Name one by its label or by its parameters. They are ${listLabels(fitting)}.`,
  })
}

function checkNames(at: At, rows: readonly Row[]): void {
  const known = new Set([labelName, ...rows.flatMap(({ variant }) => Object.keys(variant.parameters))])
  const unknown = Object.keys(at).find((name) => !known.has(name.split('.')[0] ?? ''))
  if (unknown === undefined || rows.length === 0) return
  throw new Problem('usage', `Rows have no parameter "${unknown}"${didYouMean(nearest(unknown, known))}`, {
    hint: `The parameters are ${[...known].join(', ')}.`,
  })
}

function noRow(choice: RowChoice, rows: readonly Row[]): Problem {
  const labels = rows.map(({ variant }) => variant.label)
  const near = typeof choice === 'string' ? didYouMean(nearest(choice, labels)) : ''
  return new Problem('usage', `The result has no row ${JSON.stringify(choice)}${near}`, {
    hint:
      rows.length === 0 ? 'It has no rows at all: look at its status and warnings.' : `Rows are ${listLabels(rows)}.`,
  })
}

const listLabels = (rows: readonly Row[]): string => rows.map(({ variant }) => JSON.stringify(variant.label)).join(', ')
