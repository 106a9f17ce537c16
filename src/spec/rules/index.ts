import { type Issues } from '../../language/issues.ts'
import { isConsequence } from '../fold/omit-flaws.ts'
import { isWhole, type SpecRow } from '../fold/read-rows.ts'
import { addressRules } from './addresses.ts'
import { changeStreamRule } from './change-streams.ts'
import { checkRule } from './checks.ts'
import { dataRules } from './data.ts'
import { engineRule } from './engines.ts'
import { faultRule, stepDownRule } from './faults.ts'
import { functionRule } from './functions.ts'
import { phaseRules } from './phases.ts'
import { precisionRule } from './precision.ts'
import { type Given, type Rule } from './rule.ts'
import { transactionRule } from './transactions.ts'
import { drawRule } from './try-calls.ts'
import { writeConcernRule } from './write-concerns.ts'

/** All rules of a row. Of two issues at one place the first one stays. */
const rules: readonly Rule[] = [
  ...phaseRules,
  changeStreamRule,
  transactionRule,
  engineRule,
  functionRule,
  writeConcernRule,
  faultRule,
  precisionRule,
  stepDownRule,
  checkRule,
  ...addressRules,
  drawRule,
  ...dataRules,
]

/** Applies all rules to a row whose schema is validated: the first document and one call of each operation are drawn, too. */
export function validateRow(row: SpecRow, given: Omit<Given, 'row'>, issues: Issues): void {
  const { spec, omitted, source } = row
  for (const { name, reads, check } of rules) {
    if (!isWhole(row, reads)) continue
    const report = issues.reporter(name)
    check(
      spec,
      (path, reason, marks) => {
        const place = source(path, marks?.atKey)
        if (omitted === undefined || !isConsequence(place, omitted)) report(place, reason, marks)
      },
      { ...given, row },
    )
  }
}
