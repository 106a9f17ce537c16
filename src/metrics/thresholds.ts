import { isDeepStrictEqual } from 'node:util'
import { groupDigits } from '../core/quantities.ts'
import { badness, holds, parseThreshold, type Threshold } from '../language/thresholds.ts'
import { type PhaseResult, type Result } from '../results/schema.ts'
import { type Address, metricIn, parseAddress } from './address.ts'
import { measuredCell, type Row, listRows, whyUnknown } from './rows/rows.ts'
import { type Calls, type MetricTarget, describeShape } from './scope.ts'
import { sum } from './statistics.ts'
import { findDisturbance } from './trust/judge.ts'

/** The verdict on a threshold, from its worst row. */
export type Verdict = {
  readonly threshold: string
  readonly verdict: 'held' | 'missed' | 'not judged'
  /** The worst value of all rows. Null: a row, or all rows, have no value. */
  readonly measured: number | null
  /** Why there is no value, or none that decides: "other programs used 83 % of the CPU". Null: there is one. */
  readonly reason: string | null
  /** Label of the worst row. */
  readonly label: string
  readonly misses: number
}

/**
 * The verdicts on all thresholds. Each must hold for every row, by the figure that tables show; a row without the figure misses it. A row
 * that was disturbed from outside neither holds nor misses one on a figure that depends on time.
 */
export function thresholdVerdicts(
  result: Result,
  thresholds: readonly string[] = result.spec.thresholds,
  rows: readonly Row[] = listRows(result, 'variants'),
): readonly Verdict[] {
  return thresholds.flatMap((text) => {
    const threshold = parseThreshold(text)
    return threshold === undefined ? [] : [{ threshold: text, ...verdictOn(threshold, result, rows) }]
  })
}

/** A row for a message: ` in row "batch=10"`. Empty for a row without a label. */
export const inRow = (label: string): string => (label === '' ? '' : ` in row "${label}"`)

/** A threshold that did not hold, and by what: `p99Ms < 5 in row "batch=10": measured 7.3, and missed in 2 more`. */
export const missText = (verdict: Verdict): string =>
  `${verdict.threshold}${inRow(verdict.label)}: ${valueText(verdict)}${verdict.misses > 1 ? `, and missed in ${verdict.misses - 1} more` : ''}`

/** The measured value, with the reason for which it decides nothing: "other programs used 83 % of the CPU; measured 7.3". */
export const valueText = ({ measured, reason }: Verdict): string =>
  [reason, measured === null ? null : `measured ${groupDigits(Number(measured.toPrecision(6)))}`]
    .filter(Boolean)
    .join('; ')

/** The missed thresholds. Those that were not judged are not among them. */
export const missedThresholds = (result: Result): readonly Verdict[] =>
  thresholdVerdicts(result).filter(({ verdict }) => verdict === 'missed')

function verdictOn(threshold: Threshold, result: Result, rows: readonly Row[]): Omit<Verdict, 'threshold'> {
  const address = parseAddress(threshold.address, describeShape(result))
  const values = rows.map((row) => {
    const cell = measuredCell(row, address)
    const measured = typeof cell === 'number' ? cell : null
    const disturbance = dependsOnTime(address) ? findDisturbance(row, address) : null
    const few = whyUnknown(row, address)
    const missing = few === null ? nothing : `${few} samples`
    const reason = disturbance ?? (measured === null ? missing : null)
    const isHeld = measured !== null && holds(threshold, measured)
    const verdict = disturbance === null ? (isHeld ? 'held' : 'missed') : 'not judged'
    return { label: row.variant.label, measured, reason, verdict } as const
  })
  const decisive = (['missed', 'not judged', 'held'] as const).find((word) =>
    values.some(({ verdict }) => verdict === word),
  )
  const rank = ({ measured }: (typeof values)[number]): number =>
    measured === null ? Infinity : badness(threshold, measured)
  const [worst = { label: '', measured: null, reason: nothing, verdict: 'missed' } as const] = values
    .filter(({ verdict }) => verdict === decisive)
    .toSorted((a, b) => rank(b) - rank(a))
  return { ...worst, misses: values.filter(({ verdict }) => verdict === 'missed').length }
}

const nothing = 'nothing was measured'

const errorMetrics = new Set(['errors', 'failed', 'unknown'])
const failedFaults = new Set(['faultsFailed'])
/** Units with a time in them, of CPU time, and of ratios of times. */
const ofTime = /(?:^|[/ ])(?:ms|s|µs)\b|IOPS|\$|×|core/
const ofBusyTime = new Set(['dropped', 'late', 'peakInFlight', 'foundWorkers'])

/** Whether other programs change the figure: not what operations did wrong, examined or stored, and not what shows those programs. */
const dependsOnTime = ({ metric, column }: Address): boolean => ofBusyTime.has(metric) || ofTime.test(column.unit)

/** Number of failed operations for which no threshold allows errors. */
export function unforeseenFailures(result: Result): number {
  const judged = judgedTargets(result)
  const isJudged: IsJudged = (target) => judged.some((one) => isDeepStrictEqual(one, target))
  const phases = result.variants.flatMap((variant) => variant.phases)
  return sum(phases.map((phase) => unforeseenIn(phase, isJudged)))
}

/** Number of faults that were not injected or undone as the spec says, and for which no threshold allows that. */
export function unforeseenFaults(result: Result): number {
  const judged = judgedTargets(result, failedFaults)
  const phases = result.variants.flatMap((variant) => variant.phases)
  const unjudged = phases.filter(
    ({ name: phase }) => !judged.some((target) => isDeepStrictEqual(target, { kind: 'phase', phase })),
  )
  const occurrences = unjudged.flatMap(({ faults }) => faults.flatMap((fault) => fault.occurrences))
  return occurrences.filter(({ error }) => error !== null).length
}

/** Places whose errors have a threshold. */
function judgedTargets(result: Result, metrics = errorMetrics): readonly (MetricTarget | null)[] {
  return result.spec.thresholds.flatMap((text) => {
    const { address = '' } = parseThreshold(text) ?? {}
    return metrics.has(metricIn(address)) ? [parseAddress(address, describeShape(result)).target] : []
  })
}

type IsJudged = (target: MetricTarget | null) => boolean

function unforeseenIn({ name: phase, operations, streams }: PhaseResult, isJudged: IsJudged): number {
  if (isJudged({ kind: 'phase', phase })) return 0
  const ofOperations = operations.map((operation) => {
    if (isJudged({ kind: 'operation', phase, operation: operation.name })) return 0
    const foreseen = operation.steps.filter((step) =>
      isJudged({ kind: 'step', phase, operation: operation.name, step: step.name }),
    )
    // Steps of a transaction fail more often than the transaction, because it is retried.
    return Math.max(0, countFailures(operation) - sum(foreseen.map(countFailures)))
  })
  const ofStreams = streams.map(({ name: stream, errors }) =>
    isJudged({ kind: 'stream', phase, stream }) ? 0 : sum(errors.map(({ count }) => count)),
  )
  return sum([...ofOperations, ...ofStreams])
}

const countFailures = ({ failed, unknown }: Calls): number => failed + unknown
