import { type RatioInterval } from '../../statistics/estimate.ts'
import { Problem } from '../../core/errors.ts'
import { type Path } from '../../core/json.ts'
import { didYouMean } from '../../core/nearest.ts'
import { type Result } from '../../results/schema.ts'
import { type Address, parseAddress } from '../../metrics/address.ts'
import { intervalOfRounds, roundsOf } from '../../metrics/ratios.ts'
import { measuredCell, type Row, rowsOf, valuesOf } from '../../metrics/rows.ts'
import { type PublishedSpec } from '../../metrics/report-schema.ts'
import { shapeOf } from '../../metrics/scope.ts'
import { isAt } from '../../metrics/siblings.ts'
import { isNumber, ratio } from '../../metrics/statistics.ts'
import { type Closeness, closenessOf } from './closeness.ts'
import { type PublishedCell } from '../../spec/published/document.ts'
import { besideOf, findTable, type PublishedRow, type PublishedTable } from '../../spec/published/find-table.ts'
import { publishedRowOf } from '../../spec/published/match.ts'
import { whyNotCompared } from '../trust/judge.ts'
import { measuredCpuUs, publishedCpuUs } from './server-cpu.ts'

/** A comparison of measured with published figures. */
export type Comparison = {
  readonly spec: PublishedSpec
  readonly address: Address
  readonly table: PublishedTable
  /** Null if it was not measured. */
  readonly base: ComparedRow | null
  readonly rows: readonly ComparedRow[]
  /** How close the ratios are, without the base row. */
  readonly ratios: Closeness
  /** How close the CPU times of the server are. */
  readonly cpu: Closeness
  /** Number of published rows without a row here. */
  readonly notMeasured: number
  /** Further columns of the same rows. */
  readonly beside: readonly Comparison[]
}

/** A row with its measured and its published figure. Null: unknown. */
export type ComparedRow = {
  readonly row: Row
  readonly measured: Figure | null
  /** Null: not published, or an empty cell. */
  readonly published: number | null
  /** The cell, which may be text. */
  readonly cell: PublishedCell
  /** Ratio to the base row: paired by round where there are enough of them, else that of the figures. Null where one does not compare. */
  readonly measuredRatio: number | null
  /** Its 95 % interval. Null: too few rounds, or the base row itself. */
  readonly interval: RatioInterval | null
  readonly publishedRatio: number | null
  /** Measured divided by published ratio. Null for the base row itself. */
  readonly factor: number | null
  /** CPU time of the server per unit of the compared rate. */
  readonly cpuUs: {
    readonly measured: number | null
    readonly published: number | null
    readonly factor: number | null
  }
}

/** The figure in the tables, with the values of its runs. */
export type Figure = { readonly value: number; readonly runs: readonly number[] }

/**
 * Compares the rows of a result with published figures.
 * @throws {Problem} if this version does not have the figures.
 */
export function comparePublished(result: Result, spec: PublishedSpec, at: Path = []): Comparison {
  const found = findTable(spec, at)
  if ('issues' in found) throw notFound(found.issues[0])
  const address = parseAddress(spec.metric, shapeOf(result))
  const pairs = rowsOf(result, 'variants').map((row) => pairOf(row, spec, found, address))
  const base = pairs.find(({ row }) => isAt(row.variant, spec.base))
  const rows = pairs.map((pair) => compared(pair, base, address))
  const met = new Set(pairs.map(({ counterpart }) => counterpart))
  return {
    spec,
    address,
    table: found,
    base: rows.find(({ row }) => row === base?.row) ?? null,
    rows,
    ratios: closenessOf(rows.map(({ factor }) => factor).filter(isNumber)),
    cpu: closenessOf(rows.map(({ cpuUs }) => cpuUs.factor).filter(isNumber)),
    beside: besideOf(spec).map((one, index) => comparePublished(result, one, ['beside', index])),
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
  return {
    row,
    counterpart,
    measured: typeof cell === 'number' ? { value: cell, runs: valuesOf(row, address) } : null,
    published: counterpart?.figure ?? null,
  }
}

function compared(pair: Pair, base: Pair | undefined, address: Address): ComparedRow {
  const { row, measured, published, counterpart } = pair
  const compares = [row, base?.row ?? row].every((one) => whyNotCompared(one, address) === null)
  const rounds = base === undefined || base.row === row || !compares ? null : roundsOf(row, base.row, address)
  const interval = rounds && intervalOfRounds(rounds)
  const ofCells = compares ? ratio(measured?.value ?? null, base?.measured?.value ?? null) : null
  const measuredRatio = interval?.ratio ?? ofCells
  const publishedRatio = ratio(published, base?.published ?? null)
  const cpuUs = {
    measured: measuredCpuUs(row, address),
    published: counterpart && publishedCpuUs(counterpart, address),
  }
  return {
    row,
    measured,
    published,
    cell: counterpart?.cell ?? null,
    measuredRatio,
    interval,
    publishedRatio,
    factor: base?.row === row ? null : ratio(measuredRatio, publishedRatio),
    cpuUs: { ...cpuUs, factor: compares ? ratio(cpuUs.measured, cpuUs.published) : null },
  }
}
