import { type CheckResult, type Result, type VariantResult } from './schema.ts'

export type RowCheck = {
  /** Label of the row. */
  readonly label: string
  readonly run: number
  readonly check: CheckResult
}

/** Every check of every run, including start-up runs: data that is lost there counts too. */
export const rowChecks = (result: Result): readonly RowCheck[] =>
  result.variants.toSorted((a, b) => a.row - b.row || a.run - b.run).flatMap(listRowChecks)

const listRowChecks = ({ label, run, checks }: VariantResult): readonly RowCheck[] =>
  checks.map((check) => ({ label, run, check }))

export const violatedChecks = (result: Result): readonly RowCheck[] =>
  rowChecks(result).filter(({ check }) => check.status === 'violated')

/** The first example of a check, or the reason of its verdict, without a final period. */
export function firstFinding({ reason, evidence }: CheckResult): string {
  const [first] = evidence
  return first ?? reason ?? 'no example was kept'
}
