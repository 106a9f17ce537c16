import { z } from 'zod'
import { acknowledgedWritesSurvive } from './acknowledged-writes-survive.ts'
import { type Check } from './check.ts'
import { countMatches } from './count-matches.ts'
import { journalMatches } from './journal-matches.ts'
import { query } from './query.ts'
import { sumUnchanged } from './sum-unchanged.ts'

/** A new check is one file, one word here, and its figures in `results/check-metrics.ts`. */
export const checks = [
  sumUnchanged,
  journalMatches,
  acknowledgedWritesSurvive,
  countMatches,
  query,
] as const satisfies readonly Check[]

type SpecsOf<Entries extends readonly Check[]> = { -readonly [Index in keyof Entries]: Entries[Index]['spec'] }

const specs = checks.map(({ spec }) => spec) as unknown as SpecsOf<typeof checks>

/** The schema of a check in a spec, one variant per kind. */
export const checkSpec = z.discriminatedUnion('kind', specs).meta({ title: 'Check' })

export type CheckSpec = z.output<typeof checkSpec>

const byKind = new Map<string, Check>(checks.map((check) => [check.kind, check]))

/** Returns the check of a kind; throws if there is none. */
export function getCheck(kind: CheckSpec['kind']): Check {
  const found = byKind.get(kind)
  if (!found) throw new Error(`No check of kind "${kind}"`)
  return found
}

/** Name of a check in reports and addresses. */
export const nameOfCheck = (check: CheckSpec): string => check.name ?? check.kind
