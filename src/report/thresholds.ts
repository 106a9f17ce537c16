import { type Result } from '../results/schema.ts'
import { badness, holds, parseThreshold, type Threshold } from '../language/thresholds.ts'
import { parseAddress } from './address.ts'
import { measuredCell, type Row, rowsOf } from './rows.ts'
import { shapeOf } from './scope.ts'

/** How a threshold came out, told by the row that did worst. */
export type Verdict = {
  readonly threshold: string
  readonly held: boolean
  /** The worst value of all rows. Null: in that row, or at all, nothing was measured. */
  readonly measured: number | null
  /** The label of that row. */
  readonly label: string
  /** How many rows missed it. */
  readonly misses: number
}

/** Thresholds hold for every row, on the medians that tables show. A row without the figure has missed it. */
export function thresholdVerdicts(
  result: Result,
  thresholds: readonly string[] = result.spec.thresholds,
  rows: readonly Row[] = rowsOf(result, 'variants'),
): readonly Verdict[] {
  return thresholds.flatMap((text) => {
    const threshold = parseThreshold(text)
    return threshold === undefined ? [] : [{ threshold: text, ...verdictOn(threshold, result, rows) }]
  })
}

/** Those that were missed. */
export const missedThresholds = (result: Result): readonly Verdict[] =>
  thresholdVerdicts(result).filter(({ held }) => !held)

function verdictOn(threshold: Threshold, result: Result, rows: readonly Row[]): Omit<Verdict, 'threshold'> {
  const address = parseAddress(threshold.address, shapeOf(result))
  const figures = rows.map((row) => {
    const cell = measuredCell(row, address)
    return { label: row.variant.label, measured: typeof cell === 'number' ? cell : null }
  })
  const missed = figures.filter(({ measured }) => measured === null || !holds(threshold, measured))
  const rank = ({ measured }: (typeof figures)[number]): number =>
    measured === null ? Infinity : badness(threshold, measured)
  const [worst = { label: '', measured: null }] = (missed.length > 0 ? missed : figures).toSorted(
    (a, b) => rank(b) - rank(a),
  )
  return { ...worst, held: figures.length > 0 && missed.length === 0, misses: missed.length }
}

const errorMeasures = new Set(['errors', 'failed', 'unknown'])

/** Operations that failed although no threshold says how many may. */
export function unforeseenFailures(result: Result): number {
  const judged = result.spec.thresholds.some((text) =>
    errorMeasures.has(parseThreshold(text)?.address.split('.').at(-1) ?? ''),
  )
  if (judged) return 0
  const phases = result.variants.flatMap((variant) => variant.phases)
  const operations = phases.flatMap((phase) => phase.operations)
  const streamErrors = phases.flatMap(({ streams }) => streams.flatMap(({ errors }) => errors))
  return (
    operations.reduce((sum, { failed, unknown }) => sum + failed + unknown, 0) +
    streamErrors.reduce((sum, { count }) => sum + count, 0)
  )
}
