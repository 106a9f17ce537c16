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

/** What was measured beside what was published. */
export type Comparison = {
  readonly spec: PublishedSpec
  readonly address: Address
  readonly table: PublishedTable
  /** Null when it was not measured. */
  readonly base: ComparedRow | null
  readonly rows: readonly ComparedRow[]
  /** Rows against the base row, where both figures of both are known. */
  readonly directions: readonly Verdict[]
  /** Every two rows that were published as different: whether they lie in the same order here. */
  readonly order: readonly Verdict[]
  /** Published rows that no row here is compared with. */
  readonly notMeasured: number
}

export type ComparedRow = {
  readonly row: Row
  readonly measured: Figure | null
  /** Null: it was not published, or its cell is empty there. */
  readonly published: Figure | null
  /** To the base row. */
  readonly measuredRatio: number | null
  readonly publishedRatio: number | null
  /** Of the direction from the base row. Null for the base row itself, and where a figure is missing. */
  readonly verdict: Verdict | null
}

/** @throws {Problem} when the result names what this version has no figures of. */
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
    hint: 'Leave --reference out, or mend "published" in the report part of the spec.',
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

/** Two figures that were published as the same have no order to keep. */
function orderOf(rows: readonly ComparedRow[]): readonly Verdict[] {
  return rows.flatMap((one, index) =>
    rows.slice(index + 1).flatMap((other) => {
      const areApart =
        one.published !== null && other.published !== null && directionOf(other.published, one.published) !== 'same'
      return areApart ? (verdictFrom(one, other) ?? []) : []
    }),
  )
}
