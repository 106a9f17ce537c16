import { Problem } from '../../core/errors.ts'
import { variedNames } from '../../metrics/rows/parameters.ts'
import { type Row, listRows } from '../../metrics/rows/rows.ts'
import { groupBy } from '../../metrics/statistics.ts'
import type { Result } from '../../results/schema.ts'

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

export type ResultPair = { readonly spec: string; readonly a: Result; readonly b: Result }

/** The results of both sides, and the names of specs that only one of them has. */
export type PairedResults = {
  readonly pairs: readonly ResultPair[]
  readonly onlyA: readonly string[]
  readonly onlyB: readonly string[]
}

/**
 * Pairs results by the names of their specs. One result on each side is a pair, whatever the names.
 * @throws {Problem} "usage" if a side has two results of one spec, or no spec is on both sides.
 */
export function pairResults(a: readonly Result[], b: readonly Result[]): PairedResults {
  const [ofA, ofB] = [byName(a, 'A'), byName(b, 'B')]
  const [[firstA, ...othersA], [firstB, ...othersB]] = [a, b]
  if (firstA !== undefined && firstB !== undefined && othersA.length + othersB.length === 0)
    return { pairs: [{ spec: firstA.spec.name, a: firstA, b: firstB }], onlyA: [], onlyB: [] }
  const pairs = [...ofA].flatMap(([spec, result]) => {
    const other = ofB.get(spec)
    return other === undefined ? [] : [{ spec, a: result, b: other }]
  })
  if (pairs.length === 0)
    throw new Problem('usage', 'A and B have no result of the same spec', {
      hint: `A has ${formatQuotedNames(ofA)}; B has ${formatQuotedNames(ofB)}.`,
    })
  return { pairs, onlyA: namesOfOthers(ofA, ofB), onlyB: namesOfOthers(ofB, ofA) }
}

type ByName = ReadonlyMap<string, Result>

const namesOfOthers = (results: ByName, known: ByName): readonly string[] =>
  [...results.keys()].filter((name) => !known.has(name))

function byName(results: readonly Result[], side: 'A' | 'B'): ByName {
  const named = new Map<string, Result>()
  for (const result of results) {
    const { name } = result.spec
    if (named.has(name))
      throw new Problem('usage', `${side} has two results of the spec "${name}"`, {
        hint: 'Name one of them, or a folder with one result of each spec.',
      })
    named.set(name, result)
  }
  return named
}

const formatQuotedNames = (named: ByName): string => [...named.keys()].map((name) => `"${name}"`).join(', ')
