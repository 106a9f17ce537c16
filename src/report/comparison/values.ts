import { samplesFor } from '../../metrics/latency.ts'
import { computeFigure, type Row, listScopes } from '../../metrics/rows/rows.ts'
import { computeRange, isNumber, sum } from '../../metrics/statistics.ts'
import { type Rounds } from './comparison.ts'
import { type RowPair } from './match-rows.ts'
import { type Choice, type ComparedMetric } from './metrics.ts'

/** The values of a measure, one for each run; of paired rounds, those that both sides have, in the same order. */
export type Values = {
  readonly measure: ComparedMetric
  readonly rounds: Rounds
  readonly a: readonly number[]
  readonly b: readonly number[]
  /** The factor between the numbers of documents that runs wrote: what a call finds there may differ by as much. 1: they wrote the same. */
  readonly writtenFactor: number
  /** The figure in the tables of each side. */
  readonly cells: { readonly a: number; readonly b: number }
}

/** Why a measure of a row is not compared. */
export type NoValues = {
  readonly measure: ComparedMetric
  readonly kind: 'measured on one side' | 'not measured' | 'too few samples'
  readonly reason: string
}

/** The values of the first measure that both sides have, with enough samples. */
export function valuesOfChoice([first, ...others]: Choice, pair: RowPair, rounds: Rounds): Values | NoValues {
  const values = collectComparedValues(first, pair, rounds)
  const [second, ...rest] = others
  if (!('kind' in values) || values.kind !== 'too few samples' || second === undefined) return values
  return valuesOfChoice([second, ...rest], pair, rounds)
}

function collectComparedValues(measure: ComparedMetric, { a, b }: RowPair, rounds: Rounds): Values | NoValues {
  const [ofA, ofB] = [valuesIn(a, measure), valuesIn(b, measure)]
  if (ofA.length + ofB.length === 0) return { measure, kind: 'not measured', reason: 'not measured in A and B' }
  if (ofA.length === 0 || ofB.length === 0)
    return { measure, kind: 'measured on one side', reason: `not measured in ${ofA.length === 0 ? 'A' : 'B'}` }
  const few = tooFewSamples(measure, [a, b])
  if (few !== null) return { measure, kind: 'too few samples', reason: few }
  const [inA, inB] = rounds === 'unpaired' ? [ofA, ofB] : [ofRoundsIn(ofA, ofB), ofRoundsIn(ofB, ofA)]
  if (inA.length === 0) return { measure, kind: 'not measured', reason: 'not measured on both sides of any round' }
  const cells = { a: Number(computeFigure(a, measure.address)), b: Number(computeFigure(b, measure.address)) }
  return {
    measure,
    rounds,
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

type RunValue = { readonly run: number; readonly value: number }

/** Each run as a row of its own: also measures that show the worst of several runs have one value for each. */
function valuesIn(row: Row, { address }: ComparedMetric): readonly RunValue[] {
  return row.runs.flatMap((run) => {
    const value = computeFigure({ ...row, variant: run, runs: [run] }, address)
    return isNumber(value) ? [{ run: run.run, value }] : []
  })
}

/** The values whose round the other side has too, in the order of rounds. */
const ofRoundsIn = (values: readonly RunValue[], others: readonly RunValue[]): readonly RunValue[] =>
  values.filter(({ run }) => others.some((other) => other.run === run)).toSorted((one, other) => one.run - other.run)

function tooFewSamples({ address }: ComparedMetric, rows: readonly Row[]): string | null {
  const samples = rows.flatMap((row) => listScopes(row, address).map((scope) => samplesFor(address.column, [scope])))
  const [few] = samples.filter((one) => one !== null).toSorted((a, b) => a.found - b.found)
  if (few === undefined || few.found >= few.needed) return null
  return `${few.needed} samples a run are needed, and a run has ${few.found}`
}
