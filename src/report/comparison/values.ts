import { groupDigits } from '../../core/quantities.ts'
import type { Address } from '../../metrics/address.ts'
import { samplesFor } from '../../metrics/latency.ts'
import { type Cell, type Row, computeFigure, listScopes } from '../../metrics/rows/rows.ts'
import { computeRange, groupBy, isNumber, sum } from '../../metrics/statistics.ts'
import { type Objections, judgeForSides } from '../../metrics/trust/judge.ts'
import type { Rounds } from './comparison.ts'
import type { Choice, ComparedMetric } from './metrics.ts'
import type { RowPair } from './pair-results.ts'

/** The values of a measure, one for each run; of paired rounds, those that both sides have, in the same order. */
export type Values = {
  readonly measure: ComparedMetric
  readonly rounds: Rounds
  readonly a: readonly number[]
  readonly b: readonly number[]
  /** The factor between the numbers of documents that runs wrote: what a call finds there may differ by as much. 1: they wrote the same. */
  readonly writtenFactor: number
  /** Objections to a verdict, on each side. */
  readonly objections: { readonly a: Objections; readonly b: Objections }
  /** The figure in the tables of each side. */
  readonly cells: { readonly a: number; readonly b: number }
}

/** Why a measure of a row is not compared. */
export type NoValues = {
  readonly measure: ComparedMetric
  readonly kind: 'measured on one side' | 'not measured' | 'too few samples'
  readonly reason: string
}

export type RunRounds = {
  readonly rounds: Rounds
  /** The round of each run, where it is a turn. Null: run *n* is round *n*. */
  readonly roundOf: readonly number[] | null
}

/** The values of the first measure that both sides have, with enough samples. */
export function valuesOfChoice([first, ...others]: Choice, pair: RowPair, runRounds: RunRounds): Values | NoValues {
  const values = collectComparedValues(first, pair, runRounds)
  const [second, ...rest] = others
  if (!('kind' in values) || values.kind !== 'too few samples' || second === undefined) return values
  return valuesOfChoice([second, ...rest], pair, runRounds)
}

function collectComparedValues(
  measure: ComparedMetric,
  { a, b }: RowPair,
  { rounds, roundOf }: RunRounds,
): Values | NoValues {
  const [partsA, partsB] = [splitRow(a, roundOf), splitRow(b, roundOf)]
  const [ofA, ofB] = [valuesIn(partsA, measure), valuesIn(partsB, measure)]
  if (ofA.length + ofB.length === 0) return { measure, kind: 'not measured', reason: 'not measured in A and B' }
  if (ofA.length === 0 || ofB.length === 0)
    return { measure, kind: 'measured on one side', reason: `not measured in ${ofA.length === 0 ? 'A' : 'B'}` }
  const few = tooFewSamples(measure, [...partsA, ...partsB])
  if (few !== null) return { measure, kind: 'too few samples', reason: few }
  const [inA, inB] = rounds === 'unpaired' ? [ofA, ofB] : [ofRoundsIn(ofA, ofB), ofRoundsIn(ofB, ofA)]
  if (inA.length === 0) return { measure, kind: 'not measured', reason: 'not measured on both sides of any round' }
  const cells = { a: Number(computeFigure(a, measure.address)), b: Number(computeFigure(b, measure.address)) }
  return {
    measure,
    rounds,
    objections: { a: judgeForSides(a, measure.address), b: judgeForSides(b, measure.address) },
    a: inA.map(({ value }) => value),
    b: inB.map(({ value }) => value),
    cells,
    writtenFactor: computeWrittenFactor([...a.runs, ...b.runs]),
  }
}

function computeWrittenFactor(runs: Row['runs']): number {
  const written = runs.map(({ phases }) =>
    sum(
      phases.flatMap(({ operations }) =>
        operations.map(({ inserted, upserted, modified, deleted }) => inserted + upserted + modified + deleted),
      ),
    ),
  )
  const { min, max } = computeRange(written)
  return Math.max(1, max) / Math.max(1, min)
}

type RunValue = { readonly round: number; readonly value: number }

type RoundPart = { readonly round: number; readonly row: Row }

/** Each round as a row of its own: also measures that show the worst of several runs have one value for each. */
function splitRow(row: Row, roundOf: RunRounds['roundOf']): readonly RoundPart[] {
  const byRound = groupBy(row.runs, ({ run }) => String(roundOf === null ? run : roundOf[run - 1]))
  return [...byRound].flatMap(([round, runs]) => {
    const [variant] = runs
    return variant === undefined ? [] : { round: Number(round), row: { ...row, variant, runs } }
  })
}

const valuesIn = (parts: readonly RoundPart[], { address }: ComparedMetric): readonly RunValue[] =>
  parts.flatMap(({ round, row }) => {
    const value = computeRoundValue(row, address)
    return isNumber(value) ? [{ round, value }] : []
  })

/**
 * Turns of a round have one value: percentiles of all their samples, and of other measures the geometric mean, so that the ratio of both sides is
 * that of their pairs, whether the machine was fast or slow in each.
 */
function computeRoundValue(row: Row, address: Address): Cell {
  const whole = computeFigure(row, address)
  if (row.runs.length === 1 || samplesFor(address.column, []) !== null) return whole
  const values = row.runs.map((run) => computeFigure({ ...row, variant: run, runs: [run] }, address)).filter(isNumber)
  const isPositive = values.length === row.runs.length && values.every((value) => value > 0)
  return isPositive ? Math.exp(sum(values.map(Math.log)) / values.length) : whole
}

/** The values whose round the other side has too, in the order of rounds. */
const ofRoundsIn = (values: readonly RunValue[], others: readonly RunValue[]): readonly RunValue[] =>
  values
    .filter(({ round }) => others.some((other) => other.round === round))
    .toSorted((one, other) => one.round - other.round)

function tooFewSamples({ address }: ComparedMetric, parts: readonly RoundPart[]): string | null {
  const samples = parts
    .map(({ row }) => listScopes(row, address))
    .filter((scopes) => scopes.length > 0)
    .map((scopes) => samplesFor(address.column, scopes))
  const [few] = samples.filter((one) => one !== null).toSorted((a, b) => a.found - b.found)
  if (few === undefined || few.found >= few.needed) return null
  return `${groupDigits(few.needed)} samples a run are needed, and a run has ${groupDigits(few.found)}`
}
