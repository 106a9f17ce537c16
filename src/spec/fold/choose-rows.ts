import { Unmatched } from '../../core/errors.ts'
import { jsonText } from '../../core/json.ts'
import { type VariantRow } from './variants.ts'

/** The rows that `--only` selects. */
export function chooseRows(rows: readonly VariantRow[], only: readonly string[] | undefined): readonly VariantRow[] {
  if (only === undefined || only.length === 0) return rows
  const chosen = rows.filter((row) => only.every((wanted) => matches(row, wanted)))
  if (chosen.length > 0 || rows.length === 0) return chosen
  const labels = rows.flatMap(({ label }) => (label === '' ? [] : label))
  const quoted = labels.slice(0, 20).map((label) => `"${label}"`)
  const shown = `${quoted.join(', ')}${labels.length > 20 ? ', …' : ''}`
  throw new Unmatched(
    [
      {
        option: 'only',
        given: only.join(', '),
        reason: 'no such row',
        known: [...labels, ...rows.flatMap(listRowSelectors)],
      },
    ],
    `No row matches ${only.map((wanted) => `"${wanted}"`).join(' and ')}`,
    { hint: labels.length === 0 ? 'The spec has one row: it has no "variants". Leave --only out.' : `Rows: ${shown}` },
  )
}

function matches(row: VariantRow, wanted: string): boolean {
  if (row.label === wanted || `label=${row.label}` === wanted) return true
  const cut = wanted.indexOf('=')
  const choice = cut === -1 ? undefined : row.choices.get(wanted.slice(0, cut))
  const value = wanted.slice(cut + 1)
  if (choice === undefined) return false
  return choice.label === value || choice.shown === value || JSON.stringify(choice.shown) === value
}

/** The texts "name=value" by which `--only` can select a row. */
const listRowSelectors = ({ choices }: VariantRow): readonly string[] =>
  [...choices].map(([name, { label, shown }]) => `${name}=${label ?? jsonText(shown)}`)
