import { type Json } from '../../core/json.ts'
import { cellText } from '../../metrics/format.ts'
import { type Dimension } from '../../metrics/report-schema.ts'
import { parameterCell, parameterValue } from '../../metrics/rows/parameters.ts'
import { type Cell, type Row, rowPartCell } from '../../metrics/rows/rows.ts'

/** Values as people write them. */
const labels: Readonly<Record<string, string>> = {
  true: 'yes',
  false: 'no',
  Yes: 'yes',
  No: 'no',
  null: 'none',
  '': 'none',
}

/** The label of a row for a dimension, as people write it: "yes" for `true`, "kind zstd, level 3" for an object. */
export function labelOn(row: Row, dimension: Dimension): string {
  if ('row' in dimension) return cellText(rowPartCell(row, dimension.row), null)
  const { variant } = row
  const label = parameterCell(variant, dimension.parameter)
  const value = parameterValue(variant, dimension.parameter)
  const isWritten = typeof label === 'string' && label !== '' && label !== JSON.stringify(value)
  return isWritten ? labelFor(label) : valueText(value)
}

/** The label of a row, with a title where it needs one: "updates per call: 10", but "oldest first". */
export function titledLabel(row: Row, dimension: Extract<Dimension, { parameter: string }>, title: string): string {
  const label = labelOn(row, dimension)
  return needsTitle(label, parameterCell(row.variant, dimension.parameter)) ? `${title}: ${label}` : label
}

const needsTitle = (label: string, cell: Cell): boolean =>
  typeof cell !== 'string' || /^[\d.,]*$/.test(label) || Object.values(labels).includes(label)

const labelFor = (text: string): string => (Object.hasOwn(labels, text) ? (labels[text] ?? text) : text)

/**
 * Labels as people write them, where they are constants: "Business id" for "BUSINESS_ID". Beside a name such as "NORMAL",
 * constants are names too, and stay.
 */
export function writeConstants(texts: readonly string[]): readonly string[] {
  if (texts.some((text) => /^[A-Z]{5,}$/.test(text))) return texts
  return texts.map((text) =>
    /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(text)
      ? text.charAt(0) + text.slice(1).toLowerCase().replaceAll('_', ' ')
      : text,
  )
}

function valueText(value: Json | undefined): string {
  if (value === undefined) return labelFor('null')
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, part]) => `${toLabel(name)} ${valueText(part)}`)
      .join(', ')
  }
  return labelFor(String(value))
}

/** The name of a parameter as people write it: "secondary indexes" for "secondaryIndexes". */
export const toLabel = (name: string): string =>
  name.replaceAll(/([a-z\d])([A-Z])(?=([a-z]?))/g, (_, before: string, upper: string, after: string) =>
    after === '' ? `${before} ${upper}` : `${before} ${upper.toLowerCase()}`,
  )
