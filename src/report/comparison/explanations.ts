import { clientSaturation } from './explanations/client-saturation.ts'
import { limits } from './explanations/limits.ts'
import { machineSpeed } from './explanations/machine-speed.ts'
import { pagesRead } from './explanations/pages-read.ts'
import { plans } from './explanations/plans.ts'
import { type ExplanationRule } from './explanations/rule.ts'
import { writeConflicts } from './explanations/write-conflicts.ts'
import { type MatchedPair } from './match-rows.ts'

/** What changed in a row between A and B beside its figures, one short text each. */
export type Explanation = { readonly spec: string; readonly row: string; readonly texts: readonly string[] }

/** The most telling first. A new one is one file and one word here. */
const rules: readonly ExplanationRule[] = [plans, limits, pagesRead, writeConflicts, clientSaturation, machineSpeed]

/** What may explain the differences of each row. Rows in which nothing else differs clearly are left out. */
export const explanationsOf = (matched: readonly MatchedPair[]): readonly Explanation[] =>
  matched.flatMap(({ spec, rows }) =>
    rows
      .map((pair) => ({ spec, row: pair.label, texts: rules.flatMap((rule) => rule(pair)) }))
      .filter(({ texts }) => texts.length > 0),
  )

/** Explanations as lines: "batch 10: read: pages read …; …". */
export function explanationLines(explanations: readonly Explanation[]): readonly string[] {
  const severalSpecs = new Set(explanations.map(({ spec }) => spec)).size > 1
  return explanations.map(({ spec, row, texts }) =>
    [...(severalSpecs ? [spec] : []), row, texts.join('; ')].filter((text) => text !== '').join(': '),
  )
}
