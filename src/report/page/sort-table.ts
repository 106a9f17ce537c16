type Order = 'none' | 'ascending' | 'descending'

const next: Readonly<Record<Order, Order>> = { none: 'ascending', ascending: 'descending', descending: 'none' }

/** Makes the headers of a table buttons that sort its rows: upwards, downwards, and as they were. */
export function makeSortable(table: HTMLTableElement): void {
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
  const valued = rows.map((row) => ({ row, value: valueOf(row.cells[column]) }))
  return valued
    .toSorted((one, other) => {
      // What is not known stays at the end.
      if (one.value === null || other.value === null) return Number(one.value === null) - Number(other.value === null)
      return sign * compare(one.value, other.value)
    })
    .map(({ row }) => row)
}

function valueOf(cell: HTMLTableCellElement | undefined): Value {
  const text = cell?.textContent?.trim() ?? ''
  if (text === '') return null
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}

function compare(one: number | string, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one).localeCompare(String(other), 'en', { numeric: true })
}
