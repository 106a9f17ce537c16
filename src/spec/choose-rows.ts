import { Problem } from '../errors.ts'
import { type Row } from './variants.ts'

/** The rows that --only asks for. */
export function chooseRows(rows: readonly Row[], only: readonly string[] | undefined): readonly Row[] {
  if (only === undefined || only.length === 0) return rows
  const chosen = rows.filter((row) => only.every((wanted) => matches(row, wanted)))
  if (chosen.length > 0 || rows.length === 0) return chosen
  const labels = rows
    .slice(0, 20)
    .map((row) => `"${row.label}"`)
    .join(', ')
  throw new Problem('usage', `No row matches ${only.map((wanted) => `"${wanted}"`).join(' and ')}`, {
    hint: `Rows: ${labels}${rows.length > 20 ? ', …' : ''}`,
  })
}

function matches(row: Row, wanted: string): boolean {
  if (row.label === wanted) return true
  const cut = wanted.indexOf('=')
  const choice = cut === -1 ? undefined : row.choices.get(wanted.slice(0, cut))
  const value = wanted.slice(cut + 1)
  if (choice === undefined) return false
  return choice.label === value || choice.shown === value || JSON.stringify(choice.shown) === value
}
