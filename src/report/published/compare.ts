import { Problem } from '../../errors.ts'
import { didYouMean } from '../../nearest.ts'
import { type Result } from '../../results/schema.ts'
import { type Address, parseAddress } from '../address.ts'
import { measuredCell, type Row, rowsOf, valuesOf } from '../rows.ts'
import { type PublishedSpec } from '../schema.ts'
import { shapeOf } from '../scope.ts'
import { isAt } from '../siblings.ts'
import { ratio } from '../statistics.ts'
import { directionOf, type Figure, type Verdict, verdictOn } from './direction.ts'
import { findTable, type PublishedRow, type PublishedTable } from './find-table.ts'
import { publishedRowOf } from './match.ts'

/** A comparison of measured with published figures. */
export type Comparison = {
  readonly spec: PublishedSpec
  readonly address: Address
  readonly table: PublishedTable
  /** Null if it was not measured. */
  readonly base: ComparedRow | null
  readonly rows: readonly ComparedRow[]
  /** Directions from the base row, for rows with both figures. */
  readonly directions: readonly Verdict[]
  /** For every two rows whose published figures differ: whether they have the same order here. */
  readonly order: readonly Verdict[]
  /** Number of published rows without a row here. */
  readonly notMeasured: number
}

/** A row with its measured and its published figure. */
export type ComparedRow = {
  readonly row: Row
  readonly measured: Figure | null
  /** Null: not published, or an empty cell. */
  readonly published: Figure | null
  /** Ratio to the base row. */
  readonly measuredRatio: number | null
  readonly publishedRatio: number | null
  /** Verdict on the direction from the base row. Null for the base row itself, and if a figure is missing. */
  readonly verdict: Verdict | null
}

/**
 * Compares the rows of a result with published figures.
 * @throws {Problem} if this version does not have the figures.
 */
export function comparePublished(result: Result, spec: PublishedSpec): Comparison {
  const found = findTable(spec)
  if ('issues' in found) throw notFound(found.issues[0])
  const address = parseAddress(spec.metric, shapeOf(result))
  const pairs = rowsOf(result, 'variants').map((row) => pairOf(row, spec, found, address))
  const base = pairs.find(({ row }) => isAt(row.variant, spec.base))
  const rows = pairs.map((pair) => compared(pair, base))
  const met = new Set(pairs.map(({ counterpart }) => counterpart))
  return {
    spec,
    address,
    table: found,
    base: rows.find(({ row }) => row === base?.row) ?? null,
    rows,
    directions: rows.flatMap(({ verdict }) => verdict ?? []),
    order: orderOf(rows),
    notMeasured: found.rows.filter((published) => !met.has(published)).length,
  }
}

function notFound(issue: { readonly reason: string; readonly nearest: string | null } | undefined): Problem {
  const text = `The report compares with published figures, but ${issue?.reason}${didYouMean(issue?.nearest)}`
  return new Problem('spec-invalid', text, {
    hint: 'Leave --reference out, or fix "published" in the report part of the spec.',
  })
}

type Pair = Pick<ComparedRow, 'row' | 'measured' | 'published'> & { readonly counterpart: PublishedRow | null }

function pairOf(row: Row, spec: PublishedSpec, table: PublishedTable, address: Address): Pair {
  const counterpart = publishedRowOf(row.variant, spec, table)
  const cell = measuredCell(row, address)
  const figure = counterpart?.figure ?? null
  return {
    row,
    counterpart,
    measured: typeof cell === 'number' ? { value: cell, runs: valuesOf(row, address) } : null,
    published: figure === null ? null : { value: figure, runs: [figure] },
  }
}

function compared({ row, measured, published }: Pair, base: Pair | undefined): ComparedRow {
  return {
    row,
    measured,
    published,
    measuredRatio: ratio(measured?.value ?? null, base?.measured?.value ?? null),
    publishedRatio: ratio(published?.value ?? null, base?.published?.value ?? null),
    verdict: base === undefined || base.row === row ? null : verdictFrom(base, { measured, published }),
  }
}

type Figures = Pick<ComparedRow, 'measured' | 'published'>

function verdictFrom(from: Figures, { measured, published }: Figures): Verdict | null {
  if (measured === null || published === null || from.measured === null || from.published === null) return null
  return verdictOn(directionOf(published, from.published), directionOf(measured, from.measured))
}

/** Verdicts on the order of pairs. Pairs with equal published figures have no order. */
function orderOf(rows: readonly ComparedRow[]): readonly Verdict[] {
  return rows.flatMap((one, index) =>
    rows.slice(index + 1).flatMap((other) => {
      const areApart =
        one.published !== null && other.published !== null && directionOf(other.published, one.published) !== 'same'
      return areApart ? (verdictFrom(one, other) ?? []) : []
    }),
  )
}
