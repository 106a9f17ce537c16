import { variedNames } from '../../metrics/rows/parameters.ts'
import { type Row, listRows } from '../../metrics/rows/rows.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { type Result } from '../../results/schema.ts'
import { type ResultPair } from './pair-results.ts'

/** A row that both sides have, with its finished runs. */
export type RowPair = { readonly label: string; readonly a: Row; readonly b: Row }

/** Two results of one spec, with the rows of both and the labels of those that only one of them has. */
export type MatchedPair = ResultPair & {
  readonly rows: readonly RowPair[]
  readonly onlyA: readonly string[]
  readonly onlyB: readonly string[]
}

/** Matches the rows of two results by their labels and the values of the parameters that vary. */
export function matchRows({ spec, a, b }: ResultPair): MatchedPair {
  const [ofA, ofB] = [rowsByKey(a), rowsByKey(b)]
  const rows = [...ofA].flatMap(([key, row]) => {
    const other = ofB.get(key)
    return other === undefined ? [] : [{ label: row.variant.label, a: row, b: other }]
  })
  return { spec, a, b, rows, onlyA: labelsOfOthers(ofA, ofB), onlyB: labelsOfOthers(ofB, ofA) }
}

type RowsByKey = ReadonlyMap<string, Row>

const labelsOfOthers = (rows: RowsByKey, known: RowsByKey): readonly string[] =>
  [...rows].flatMap(([key, row]) => (known.has(key) ? [] : [row.variant.label]))

/** Rows whose parameters are the same, as those of a random choice, are distinguished by their order. */
function rowsByKey(result: Result): RowsByKey {
  const varied = variedNames(result).toSorted()
  const keyOf = ({ variant: { label, parameters } }: Row): string =>
    JSON.stringify([label, varied.map((name) => [name, parameters[name]?.label ?? parameters[name]?.value ?? null])])
  const groups = groupBy(listRows(result, 'variants').map(finishedRuns), keyOf)
  return new Map([...groups].flatMap(([key, rows]) => rows.map((row, index) => [`${key} ${index}`, row] as const)))
}

/** An unfinished run is no value, also where a row has no other. */
const finishedRuns = (row: Row): Row => ({
  ...row,
  runs: row.runs.filter(({ status, startUp }) => status === 'done' && !startUp),
})
