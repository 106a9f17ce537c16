import { columnOf } from '../columns.ts'
import { measuredCell, type Row, scopesOf } from '../rows.ts'
import { isNumber } from '../statistics.ts'
import { type RowPair } from './match-rows.ts'
import { type Choice, type ComparedMeasure } from './measures.ts'

/** The values of a measure, one for each run. */
export type Values = { readonly measure: ComparedMeasure; readonly a: readonly number[]; readonly b: readonly number[] }

/** Why a measure of a row is not compared. */
export type NoValues = { readonly measure: ComparedMeasure; readonly reason: string }

/** The values of the first measure that both sides have, with enough samples. */
export function valuesOfChoice(choice: Choice, pair: RowPair): Values | NoValues {
  const tried = choice.map((measure) => valuesOfOne(measure, pair))
  return tried.find((values) => !('reason' in values)) ?? tried.at(-1) ?? noValues(choice[0])
}

const noValues = (measure: ComparedMeasure): NoValues => ({ measure, reason: 'not measured' })

function valuesOfOne(measure: ComparedMeasure, { a, b }: RowPair): Values | NoValues {
  const [ofA, ofB] = [valuesIn(a, measure), valuesIn(b, measure)]
  const without = [ofA.length === 0 ? 'A' : [], ofB.length === 0 ? 'B' : []].flat()
  if (without.length > 0) return { measure, reason: `not measured in ${without.join(' and ')}` }
  const few = tooFewSamples(measure, [a, b])
  return few === null ? { measure, a: ofA, b: ofB } : { measure, reason: few }
}

/** Each run as a row of its own: also measures that show the worst of several runs have one value for each. */
function valuesIn(row: Row, { address }: ComparedMeasure): readonly number[] {
  return row.runs
    .map((run) => measuredCell({ ...row, variant: run, runs: [run] }, address))
    .filter((cell) => isNumber(cell))
}

/** So many samples above a percentile make it one: 1000 samples have a p99, 20 a median. */
const samplesAbove = 10

function tooFewSamples({ address }: ComparedMeasure, rows: readonly Row[]): string | null {
  const column = columnOf(address.measure)
  const percentile = 'value' in column ? column.percentile : undefined
  if (percentile === undefined) return null
  const needed = Math.round(samplesAbove / (1 - percentile.share))
  const fewest = Math.min(
    ...rows.flatMap((row) => scopesOf(row, address).map((scope) => percentile.samples(scope) ?? 0)),
  )
  return fewest >= needed ? null : `${needed} samples a run are needed, and a run has ${fewest}`
}
