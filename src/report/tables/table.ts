import { type Digits } from '../../metrics/format.ts'
import { type Cell } from '../../metrics/rows/rows.ts'
import { type JudgedRow } from '../../metrics/trust/judge.ts'

/** A table as data, for all formats. */
export type Table = {
  readonly title: string
  readonly columns: readonly TableColumn[]
  readonly rows: readonly TableRow[]
  /** How far its rows can be believed, in their order before it was transposed. Empty where that is no question. */
  readonly judged: readonly JudgedRow[]
  /** Sentences under the table. */
  readonly remarks: readonly string[]
  /** Whether its rows became columns: the first column has what were headings, and each other one is a row. */
  readonly isTransposed: boolean
}

/** A column of a table. */
export type TableColumn = {
  /** The address, parameter or fact that it shows. */
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly digits: Digits
  /** Values that readers must not overlook. Default: none. */
  readonly alarming?: readonly string[] | undefined
}

/** A row of a table. */
export type TableRow = {
  readonly cells: readonly Cell[]
  /** In a transposed table, replaces the digits of the columns. */
  readonly digits?: Digits
}
