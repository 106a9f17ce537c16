import { problems } from '../../core/errors.ts'
import { missedThresholds, unforeseenFailures, unforeseenFaults } from '../../metrics/thresholds.ts'
import { firstFinding, violatedChecks } from '../../report/checks.ts'
import { type Result } from '../../results/schema.ts'
import { endedByThreshold } from '../../run/end-early.ts'
import { type CliContext } from '../cli-context.ts'

/** Prints why a result is not good, and returns its exit code. */
export function judge(result: Result, { printStatus }: CliContext): number {
  const isEndedByThreshold = result.warnings.some(({ code }) => code === endedByThreshold)
  if (result.status === 'aborted' && !isEndedByThreshold) return problems.aborted.exitCode
  const misses = missedThresholds(result)
  for (const { threshold, label, measured, reason, misses: rows } of misses) {
    const figure = measured === null ? reason : `measured ${Number(measured.toPrecision(6))}`
    const others = rows > 1 ? `, and missed in ${rows - 1} more` : ''
    printStatus(`threshold missed: ${threshold}${label === '' ? '' : ` in row "${label}"`}: ${figure}${others}\n`)
  }
  if (isEndedByThreshold) printStatus('the rows after it were not run\n')
  const violations = violatedChecks(result)
  for (const { label, check } of violations)
    printStatus(`check violated: ${check.name}${label === '' ? '' : ` in row "${label}"`}: ${firstFinding(check)}\n`)
  if (violations.length > 0) return 6
  if (misses.length > 0 || isEndedByThreshold) return 5
  const failures = unforeseenFailures(result)
  if (failures > 0)
    printStatus(`${failures} operations failed; a threshold such as "<phase>.errors < 10" allows a number of them\n`)
  const faults = unforeseenFaults(result)
  if (faults > 0)
    printStatus(
      `${faults === 1 ? '1 fault was' : `${faults} faults were`} not injected or undone as specified; a threshold such as "<phase>.faultsFailed < 2" allows that\n`,
    )
  return failures > 0 || faults > 0 ? 7 : 0
}
