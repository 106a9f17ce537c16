import type { Issues } from '../../language/issues.ts'
import { isConsequence } from '../fold/omit-flaws.ts'
import { type SpecRow, isWhole } from '../fold/read-rows.ts'
import { writeConcernRule } from '../operations/concern-rule.ts'
import { dataRules } from '../schema/data-rules.ts'
import { engineRule } from '../schema/engine.ts'
import { phaseRules } from '../schema/phase-rules.ts'
import { addressRules } from './addresses.ts'
import { checkRule } from './checks.ts'
import { faultRule, stepDownRule } from './faults.ts'
import { findRateRule } from './find-rate.ts'
import { loadsRule } from './loads.ts'
import { changeStreamRule, collectionsRule, functionRule, transactionRule } from './operations.ts'
import type { Given, Rule } from './rule.ts'
import { drawRule } from './try-calls.ts'

/** All rules of a row. Of two issues at one place the first one stays. */
const rules: readonly Rule[] = [
  ...phaseRules,
  loadsRule,
  changeStreamRule,
  transactionRule,
  engineRule,
  functionRule,
  writeConcernRule,
  faultRule,
  findRateRule,
  stepDownRule,
  checkRule,
  ...addressRules,
  collectionsRule,
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
