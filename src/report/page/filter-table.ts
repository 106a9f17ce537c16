import { element } from './element.ts'

/** Shorter tables are seen as a whole. */
const minRows = 6

/** Adds a field beside the caption of a long table that hides the rows without its words. */
export function makeFilterable(table: HTMLTableElement): void {
  const rows = [...(table.tBodies[0]?.rows ?? [])]
  const { caption } = table
  if (rows.length < minRows || caption === null || 'transposed' in table.dataset) return
  const title = caption.textContent
  const field = element('input', { type: 'search', autocomplete: 'off', spellcheck: 'false' })
  const status = element('span', { role: 'status' })
  const texts = rows.map((row) => (row.textContent ?? '').toLowerCase())
  field.addEventListener('input', () => {
    const words = field.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
    rows.forEach((row, index) => {
      row.hidden = !words.every((word) => texts[index]?.includes(word))
    })
    const shown = rows.filter((row) => !row.hidden).length
    status.textContent = words.length === 0 ? '' : `${shown} of ${rows.length} rows`
  })
  const label = element(
    'label',
    {},
    element('span', {}, `Filter rows `, element('span', { class: 'hidden' }, `of ${title}`)),
    field,
  )
  caption.append(element('div', { class: 'filter' }, label, status))
}
