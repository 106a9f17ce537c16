import { addressOf } from '../../../metrics/address.ts'
import { limitOfMost } from '../../../metrics/limited-by/index.ts'
import { scopesOf } from '../../../metrics/rows.ts'
import { type Scope } from '../../../metrics/scope.ts'
import { type ExplanationRule, phasesOf } from './rule.ts'

/** Something else that limited throughput: "read: limited by server CPU (97 % of a core) → disk IOPS (2998 of 3000 reads/s)". */
export const limits: ExplanationRule = (pair) =>
  phasesOf(pair).flatMap((phase) => {
    const scopesIn = (side: 'a' | 'b'): readonly Scope[] =>
      scopesOf(pair[side], addressOf('limitedBy', { kind: 'phase', phase }))
    const [ofA, ofB] = [scopesIn('a'), scopesIn('b')]
    // A baseline lacks counters that decide about limits.
    if (countersOf(ofA) !== countersOf(ofB)) return []
    const [a, b] = [limitOfMost(ofA), limitOfMost(ofB)]
    if (a === null || b === null || a.name === b.name) return []
    return [`${phase}: limited by ${a.name} (${a.text}) → ${b.name} (${b.text})`]
  })

/** The names of the counters that are known of the servers. */
const countersOf = (scopes: readonly Scope[]): string =>
  [...new Set(scopes.flatMap(({ phase: { members } }) => members.flatMap(({ totals }) => Object.keys(totals))))]
    .toSorted()
    .join(' ')
