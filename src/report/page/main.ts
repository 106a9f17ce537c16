import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  LineController,
  LineElement,
  LinearScale,
  LogarithmicScale,
  PointElement,
  ScatterController,
  Tooltip,
} from 'chart.js'
import { setUpCharts } from './chart-view.ts'
import { element, setUpTheme } from './element.ts'
import { setUpExploring } from './explore.ts'
import { followRun } from './live.ts'

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  ScatterController,
  Tooltip,
)

/** Adds to a page, or to a part of it that was replaced, what needs a script. */
async function enhance(root: ParentNode): Promise<void> {
  for (const table of root.querySelectorAll('table')) {
    makeSortable(table)
    makeFilterable(table)
  }
  setUpCharts(root)
  await setUpExploring(root)
}

/** Shorter tables are seen as a whole. */
const minRows = 6

/** Adds a field beside the caption of a long table that hides the rows without its words. */
function makeFilterable(table: HTMLTableElement): void {
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

type Order = 'none' | 'ascending' | 'descending'

const next: Readonly<Record<Order, Order>> = { none: 'ascending', ascending: 'descending', descending: 'none' }

/** Makes the headers of a table buttons that sort its rows: upwards, downwards, and as they were. */
function makeSortable(table: HTMLTableElement): void {
  const [body] = table.tBodies
  const headers = [...(table.tHead?.rows[0]?.cells ?? [])]
  if (body === undefined || body.rows.length < 2 || 'transposed' in table.dataset) return
  const rows = [...body.rows]
  headers.forEach((header, column) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'sort'
    button.append(...header.childNodes)
    header.append(button)
    header.setAttribute('aria-sort', 'none')
    button.addEventListener('click', () => {
      const order = next[(header.getAttribute('aria-sort') ?? 'none') as Order]
      for (const other of headers) other.setAttribute('aria-sort', other === header ? order : 'none')
      body.append(...(order === 'none' ? rows : sorted(rows, column, order)))
    })
  })
}

type Value = number | string | null

function sorted(
  rows: readonly HTMLTableRowElement[],
  column: number,
  order: Exclude<Order, 'none'>,
): readonly HTMLTableRowElement[] {
  const sign = order === 'ascending' ? 1 : -1
  const valued = rows.map((row) => ({ row, value: readCellValue(row.cells[column]) }))
  return valued
    .toSorted((one, other) => {
      // What is not known stays at the end.
      if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null)
      return sign * compare(one.value, other.value)
    })
    .map(({ row }) => row)
}

function readCellValue(cell: HTMLTableCellElement | undefined): Value {
  const text = cell?.textContent?.trim() ?? ''
  // Why it is empty is no value.
  if (text === '' || cell?.querySelector('.reason')) return null
  return /^-?\d[\d,]*(?:\.\d+)?$/.test(text) ? Number(text.replaceAll(',', '')) : text
}

function compare(one: number | string, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one).localeCompare(String(other), 'en', { numeric: true })
}

const tools = document.querySelector('[data-tools]')
if (tools !== null) setUpTheme(tools)
void enhance(document)
const live = document.querySelector<HTMLElement>('[data-live]')
if (live !== null) followRun(live, enhance)
