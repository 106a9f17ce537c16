import { type Comparison } from './compare.ts'
import { type Kept, keptOf, type Verdict } from './direction.ts'
import { type PublishedDocument } from './document.ts'

/** The comparison with published figures as plain data. */
export type ComparisonJson = {
  readonly source: PublishedDocument['source']
  readonly section: string
  /** What was published was measured on this. */
  readonly hardware: string
  readonly metric: string
  readonly column: string
  /** Label of the base row. Null: it was not measured. */
  readonly base: string | null
  /** Rows, against the base row. */
  readonly directions: Kept
  /** Every two rows that were published as different. */
  readonly order: Kept
  /** Published rows that no row here is compared with. */
  readonly notMeasured: number
  readonly rows: readonly {
    readonly label: string
    readonly measured: number | null
    readonly published: number | null
    readonly measuredRatio: number | null
    readonly publishedRatio: number | null
    readonly direction: Verdict | null
  }[]
}

export function comparisonJson({ spec, table, base, rows, ...counted }: Comparison): ComparisonJson {
  return {
    source: table.source,
    section: table.section,
    hardware: table.hardware,
    metric: spec.metric,
    column: table.column,
    base: base?.row.variant.label ?? null,
    directions: keptOf(counted.directions),
    order: keptOf(counted.order),
    notMeasured: counted.notMeasured,
    rows: rows.map(({ row, measured, published, measuredRatio, publishedRatio, verdict }) => ({
      label: row.variant.label,
      measured: measured?.value ?? null,
      published: published?.value ?? null,
      measuredRatio,
      publishedRatio,
      direction: verdict,
    })),
  }
}
