import { type Comparison } from './compare.ts'
import { type Kept, keptOf, type Verdict } from './direction.ts'
import { type PublishedDocument } from './document.ts'

/** The comparison with published figures as plain data. */
export type ComparisonJson = {
  readonly source: PublishedDocument['source']
  readonly section: string
  /** The hardware of the published figures. */
  readonly hardware: string
  readonly metric: string
  readonly column: string
  /** Label of the base row. Null: it was not measured. */
  readonly base: string | null
  /** Directions of rows from the base row. */
  readonly directions: Kept
  /** Order of every two rows whose published figures differ. */
  readonly order: Kept
  /** Number of published rows without a row here. */
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

/** The comparison as plain data. */
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
