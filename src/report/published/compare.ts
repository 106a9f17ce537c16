import { Problem } from '../../core/errors.ts'
import type { Path } from '../../core/json.ts'
import { type Finding, findingText } from '../../language/issues.ts'
import { type Address, parseAddress } from '../../metrics/address.ts'
import { times } from '../../metrics/columns/from-metrics.ts'
import { serverColumns } from '../../metrics/columns/server.ts'
import type { Evaluation } from '../../metrics/evaluate.ts'
import { intervalOfRounds, pairRounds } from '../../metrics/ratios.ts'
import type { PublishedSpec } from '../../metrics/report-schema.ts'
import { type Row, listScopes } from '../../metrics/rows/rows.ts'
import { isAt } from '../../metrics/rows/siblings.ts'
import { isNumber, median, ratio } from '../../metrics/statistics.ts'
import { whyNotCompared } from '../../metrics/trust/judge.ts'
import {
  type PublishedRow,
  type PublishedTable,
  findTable,
  listAdjacentSpecs,
} from '../../spec/published/find-table.ts'
import { type PublishedCell, findPublishedRow } from '../../spec/published/match.ts'
import type { RatioInterval } from '../../statistics/estimate.ts'
import { defaultRules } from '../../statistics/verdict.ts'

/** How well measured figures agree with published ones. */
export type Agreement = {
  /** How close the ratios are, without the base row. */
  readonly ratios: Closeness
  /** How close the CPU times of the server are. */
  readonly cpu: Closeness
  /** Number of published rows without a row here. */
  readonly notMeasured: number
}

export type Comparison = Agreement & {
  readonly spec: PublishedSpec
  readonly address: Address
  readonly table: PublishedTable
  /** Null if it was not measured. */
  readonly base: ComparedRow | null
  readonly rows: readonly ComparedRow[]
  /** Further columns of the same rows. */
  readonly beside: readonly Comparison[]
}

/** A row with its measured and its published figure. Null: unknown. */
export type ComparedRow = {
  readonly row: Row
  readonly measured: PublishedMetric | null
  /** Null: not published, or an empty cell. */
  readonly published: number | null
  /** The cell, which may be text. */
  readonly cell: PublishedCell
  /** Ratio to the base row: paired by round where there are enough of them, else that of the figures. Null where one does not compare. */
  readonly measuredRatio: number | null
  /** Its 95 % interval. Null: too few rounds, or the base row itself. */
  readonly interval: RatioInterval | null
  readonly publishedRatio: number | null
  /** Null: one of both is not known. */
  readonly verdict: PublishedVerdict | null
  /** Measured divided by published ratio. Null for the base row itself. */
  readonly factor: number | null
  /** CPU time of the server per unit of the compared rate. */
  readonly cpuUs: {
    readonly measured: number | null
    readonly published: number | null
    readonly factor: number | null
  }
}

export type PublishedMetric = { readonly value: number; readonly runs: readonly number[] }

/**
 * Compares the rows of a result with published figures.
 * @throws {Problem} if this version does not have the figures.
 */
export function comparePublished(evaluation: Evaluation, spec: PublishedSpec, at: Path = []): Comparison {
  const found = findTable(spec, at)
  if ('issues' in found) throw notFound(found.issues[0])
  const address = parseAddress(spec.metric, evaluation.shape)
  const pairs = evaluation.rows('variants').map((row): Pair => {
    const counterpart = findPublishedRow(row.variant, spec, found)
    const { cell, runs } = evaluation.figure(row, address)
    const measured = typeof cell === 'number' ? { value: cell, runs } : null
    return { row, counterpart, measured, published: counterpart?.figure ?? null }
  })
  const base = pairs.find(({ row }) => isAt(row.variant, spec.base))
  const rows = pairs
    .map((pair) => compared(pair, base, address))
    .map((row) => (isMislabelled(row, spec) ? dropRatios(row) : row))
  const met = new Set(pairs.map(({ counterpart }) => counterpart))
  return {
    spec,
    address,
    table: found,
    base: rows.find(({ row }) => row === base?.row) ?? null,
    rows,
    ratios: computeCloseness(rows.map(({ factor }) => factor).filter(isNumber)),
    cpu: computeCloseness(rows.map(({ cpuUs }) => cpuUs.factor).filter(isNumber)),
    beside: listAdjacentSpecs(spec).map((one, index) => comparePublished(evaluation, one, ['beside', index])),
    notMeasured: found.rows.filter((published) => !met.has(published)).length,
  }
}

function notFound(found: Finding | undefined): Problem {
  const text = `The report compares with published figures, but ${found && findingText(found)}`
  return new Problem('spec-invalid', text, {
    hint: 'Leave --reference out, or fix "published" in the report part of the spec.',
  })
}

type Pair = Pick<ComparedRow, 'row' | 'measured' | 'published'> & { readonly counterpart: PublishedRow | null }

function compared(pair: Pair, base: Pair | undefined, address: Address): ComparedRow {
  const { row, measured, published, counterpart } = pair
  const compares = [row, base?.row ?? row].every((one) => whyNotCompared(one, address) === null)
  const rounds = base === undefined || base.row === row || !compares ? null : pairRounds(row, base.row, address)
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
    verdict: interval === null || publishedRatio === null ? null : judgePublished(interval, publishedRatio),
    factor: base?.row === row ? null : ratio(measuredRatio, publishedRatio),
    cpuUs: { ...cpuUs, factor: compares ? ratio(cpuUs.measured, cpuUs.published) : null },
  }
}

/** Whether a published figure is not of what its label says. */
export const isMislabelled = ({ row }: ComparedRow, { mislabelled = [] }: PublishedSpec): boolean =>
  mislabelled.some((at) => isAt(row.variant, at))

const dropRatios = (row: ComparedRow): ComparedRow => ({
  ...row,
  publishedRatio: null,
  verdict: null,
  factor: null,
  cpuUs: { ...row.cpuUs, factor: null },
})

const usPerSecondOfPercent = 10_000

/** Returns what a rate counts: "op" for "ops/s". Null for a measure that is no rate. */
export function unitOfRate({ column }: Address): string | null {
  const [, counted] = /^(.*?)s?\/s$/.exec(column.unit) ?? []
  return counted ?? null
}

/** CPU time of the server for each unit of a rate, in µs: the median of the runs. Null in a phase of several operations, which share it. */
function measuredCpuUs(row: Row, address: Address): number | null {
  const { column } = address
  if (!('value' in column) || unitOfRate(address) === null) return null
  const perRun = listScopes(row, address)
    .filter(({ phase }) => phase.operations.length === 1)
    .map((scope) =>
      ratio(times(serverColumns.serverCpuPercent.value(scope), usPerSecondOfPercent), column.value(scope)),
    )
  return median(perRun.filter(isNumber))
}

/** The same from the published table: CPU usage of all cores of the server, divided by the published rate. */
function publishedCpuUs({ figure, cpuPercent, vCpus }: PublishedRow, address: Address): number | null {
  if (cpuPercent === null || vCpus === null || unitOfRate(address) === null) return null
  return ratio(cpuPercent * vCpus * usPerSecondOfPercent, figure)
}

/** How close measured values are to published ones. */
export type Closeness = {
  /** Number of values within a quarter. */
  readonly near: number
  /** Number of values that are off by more than a factor of 2. */
  readonly far: number
  readonly of: number
}

/** Within 25 %, upwards; downwards it is the reverse, so that both directions count alike. */
export const nearFactor = 1.25
const farFactor = 2

/**
 * Counts how many values are near.
 * @param factors Measured divided by published values.
 */
export function computeCloseness(factors: readonly number[]): Closeness {
  const distances = factors.map(computeDistance)
  return {
    near: factors.filter(isNear).length,
    far: distances.filter((distance) => distance > farFactor).length,
    of: factors.length,
  }
}

const computeDistance = (factor: number): number => Math.max(factor, 1 / factor)

/** Whether a measured value, divided by the published one, is near 1. */
export const isNear = (factor: number): boolean => computeDistance(factor) <= nearFactor

/** Verdicts of the interval of a measured ratio on the published one. */
export const publishedVerdicts = ['contains', 'excludes', 'too wide to tell'] as const
export type PublishedVerdict = (typeof publishedVerdicts)[number]

/**
 * Judges a published ratio by the 95 % interval of the measured one. An interval is too wide to tell if it contains the published ratio, but also
 * no difference where the published ratio is one, or values that are not near it.
 */
export function judgePublished(
  { low, high }: Pick<RatioInterval, 'low' | 'high'>,
  published: number,
): PublishedVerdict {
  if (published < low || published > high) return 'excludes'
  const isEffect = Math.abs(Math.log(published)) > Math.log1p(defaultRules.smallestEffect)
  const hidesEffect = isEffect && low <= 1 && high >= 1
  return hidesEffect || Math.max(high / published, published / low) > nearFactor ? 'too wide to tell' : 'contains'
}

/** "2 of 4 rows are within 25 % of the published ratio, 1 is off by more than a factor of 2". */
export function closenessText({ near, far, of }: Closeness, what: string): string {
  const off = far === 0 ? '' : `, ${far} ${isAre(far)} off by more than a factor of ${farFactor}`
  return `${near} of ${of} ${of === 1 ? 'row' : 'rows'} ${isAre(near)} within 25 % of the published ${what}${off}`
}

const isAre = (count: number): string => (count === 1 ? 'is' : 'are')
