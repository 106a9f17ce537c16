import { Problem } from '../../core/errors.ts'
import { type Result } from '../../results/schema.ts'

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
