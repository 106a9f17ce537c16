import { toCell } from '../../metrics/evaluate.ts'
import type { PublishedSpec } from '../../metrics/report-schema.ts'
import { type Named, parameterValue, readValue } from '../../metrics/rows/parameters.ts'
import type { PublishedRow, PublishedTable } from './find-table.ts'

/** Normalizes white space and commas. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s*,[\s,]*/g, ', ')
    .trim()

/** Whether two texts are equal apart from white space and commas. */
export const sameText = (a: string, b: string): boolean => plainText(a) === plainText(b)

/** The published row of a row: the labels or values of its parameters match the key columns. Null if there is none. */
export function findPublishedRow(
  row: Named,
  { rows: keys }: PublishedSpec,
  table: PublishedTable,
): PublishedRow | null {
  const texts = keys.map(({ parameter }) => collectMatchingTexts(row, parameter))
  return (
    table.rows.find((published) => texts.every((known, at) => known.has(toCellText(published.keys[at] ?? null)))) ??
    null
  )
}

/** Texts that match a key cell: an empty cell matches an empty label. A missing parameter matches nothing. */
function collectMatchingTexts(row: Named, name: string): ReadonlySet<string> {
  const label = row.parameters[name]?.label
  const value = parameterValue(row, name)
  return new Set([
    ...(label === undefined ? [] : [plainText(label)]),
    ...(value === undefined ? [] : [toCellText(toCell(readValue(value)))]),
  ])
}

const toCellText = (cell: PublishedCell): string => (cell === null ? '' : plainText(String(cell)))

/** A file of `fixtures/reference/`: the figures of a published document. They ship, so a test validates them, and not each report. */
export type PublishedDocument = {
  readonly source: {
    readonly title: string
    readonly author: string
    readonly version?: string
    /** A day, or a month if the day is unknown. Absent: unknown. */
    readonly date?: string
  }
  /** The hardware of all figures. */
  readonly hardware: string
  /** The meaning of headings that mean something else in this project. */
  readonly headings: Readonly<Record<string, string>>
  /** Cores of the servers by their instance types. Absent: unknown. */
  readonly vCpus?: Readonly<Record<string, number>>
  /** Their titles differ. */
  readonly sections: readonly PublishedSection[]
}

type PublishedSection = {
  readonly title: string
  /** The hardware of its figures, as far as it differs between sections. */
  readonly hardware: string
  /** How this copy differs from the document. */
  readonly note?: string
  /** Their titles differ. */
  readonly tables: readonly {
    readonly title: string
    readonly columns: readonly string[]
    /** A cell for each column. */
    readonly rows: readonly (readonly PublishedCell[])[]
  }[]
}

/** A cell of a published table. Null: an empty cell. */
export type PublishedCell = number | string | null
