import { type Result } from '../results/schema.ts'
import { holds, parseThreshold } from '../spec/thresholds.ts'
import { parseAddress } from './address.ts'
import { measuredCell, rowsOf } from './rows.ts'
import { shapeOf } from './scope.ts'

/** What a threshold asked for, and what was measured in the row that missed it. Null: nothing was measured. */
export type Miss = { readonly threshold: string; readonly label: string; readonly measured: number | null }

/** Thresholds hold for every row, on the medians that tables show. A row without the figure has missed it. */
export function missedThresholds(result: Result): readonly Miss[] {
  const shape = shapeOf(result)
  return result.spec.thresholds.flatMap((text) => {
    const threshold = parseThreshold(text)
    if (!threshold) return []
    const address = parseAddress(threshold.address, shape)
    return rowsOf(result, 'variants').flatMap((row) => {
      const cell = measuredCell(row, address)
      const measured = typeof cell === 'number' ? cell : null
      return measured !== null && holds(threshold, measured)
        ? []
        : [{ threshold: text, label: row.variant.label, measured }]
    })
  })
}

const errorMeasures = new Set(['errors', 'failed', 'unknown'])

/** Operations that failed although no threshold of the spec says how many may. */
export function unforeseenFailures(result: Result): number {
  const judged = result.spec.thresholds.some((text) =>
    errorMeasures.has(parseThreshold(text)?.address.split('.').at(-1) ?? ''),
  )
  if (judged) return 0
  const operations = result.variants.flatMap(({ phases }) => phases).flatMap((phase) => phase.operations)
  return operations.reduce((sum, { failed, unknown }) => sum + failed + unknown, 0)
}
