import { columnOf } from '../columns.ts'
import { samplesFor } from '../enough-samples.ts'
import { figureOf, type Row, scopesOf } from '../rows.ts'
import { isNumber } from '../statistics.ts'
import { type RowPair } from './match-rows.ts'
import { type Choice, type ComparedMeasure } from './measures.ts'

/** The values of a measure, one for each run. */
export type Values = { readonly measure: ComparedMeasure; readonly a: readonly number[]; readonly b: readonly number[] }

/** Why a measure of a row is not compared. */
export type NoValues = {
  readonly measure: ComparedMeasure
  readonly kind: 'measured on one side' | 'not measured' | 'too few samples'
  readonly reason: string
}

/** The values of the first measure that both sides have, with enough samples. */
export function valuesOfChoice([first, ...others]: Choice, pair: RowPair): Values | NoValues {
  const values = valuesOf(first, pair)
  const [second, ...rest] = others
  if (!('kind' in values) || values.kind !== 'too few samples' || second === undefined) return values
  return valuesOfChoice([second, ...rest], pair)
}

function valuesOf(measure: ComparedMeasure, { a, b }: RowPair): Values | NoValues {
  const [ofA, ofB] = [valuesIn(a, measure), valuesIn(b, measure)]
  if (ofA.length + ofB.length === 0) return { measure, kind: 'not measured', reason: 'not measured in A and B' }
  if (ofA.length === 0 || ofB.length === 0)
    return { measure, kind: 'measured on one side', reason: `not measured in ${ofA.length === 0 ? 'A' : 'B'}` }
  const few = tooFewSamples(measure, [a, b])
  return few === null ? { measure, a: ofA, b: ofB } : { measure, kind: 'too few samples', reason: few }
}

/** Each run as a row of its own: also measures that show the worst of several runs have one value for each. */
function valuesIn(row: Row, { address }: ComparedMeasure): readonly number[] {
  return row.runs
    .map((run) => figureOf({ ...row, variant: run, runs: [run] }, address))
    .filter((cell) => isNumber(cell))
}

function tooFewSamples({ address }: ComparedMeasure, rows: readonly Row[]): string | null {
  const column = columnOf(address.measure)
  const samples = rows.flatMap((row) => scopesOf(row, address).map((scope) => samplesFor(column, [scope])))
  const [few] = samples.filter((one) => one !== null).toSorted((a, b) => a.found - b.found)
  if (few === undefined || few.found >= few.needed) return null
  return `${few.needed} samples a run are needed, and a run has ${few.found}`
}
