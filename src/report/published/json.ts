import { type RatioInterval } from '../../statistics/estimate.ts'
import { type Closeness } from './closeness.ts'
import { type ComparedRow, type Comparison } from './compare.ts'
import { type PublishedCell, type PublishedDocument } from '../../spec/published/document.ts'

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
  /** How close the ratios to the base row are to the published ones. */
  readonly ratios: Closeness
  /** How close the CPU times of the server are to the published ones. */
  readonly cpu: Closeness
  /** Number of published rows without a row here. */
  readonly notMeasured: number
  readonly rows: readonly {
    readonly label: string
    readonly measured: number | null
    readonly published: number | null
    readonly cell: PublishedCell
    readonly measuredRatio: number | null
    /** The 95 % interval of the measured ratio, from six rounds on. */
    readonly interval: RatioInterval | null
    readonly publishedRatio: number | null
    /** Measured divided by published ratio. */
    readonly factor: number | null
    /** CPU time of the server per unit of the compared rate, in µs. */
    readonly cpuUs: ComparedRow['cpuUs']
  }[]
  /** The same of further columns. */
  readonly beside: readonly ComparisonJson[]
}

const rowJson = ({ row, measured, ...others }: ComparedRow): ComparisonJson['rows'][number] => ({
  label: row.variant.label,
  measured: measured?.value ?? null,
  ...others,
})

/** The comparison as plain data. */
export function comparisonJson(comparison: Comparison): ComparisonJson {
  const { spec, table, base, rows, ratios, cpu, notMeasured } = comparison
  return {
    source: table.source,
    section: table.section,
    hardware: table.hardware,
    metric: spec.metric,
    column: table.column,
    base: base?.row.variant.label ?? null,
    ratios,
    cpu,
    notMeasured,
    beside: comparison.beside.map(comparisonJson),
    rows: rows.map(rowJson),
  }
}
