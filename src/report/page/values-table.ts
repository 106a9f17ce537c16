import { element } from './element.ts'

/** The values of a drawing as a table, which is made when it is opened. */
export function valuesTable(
  caption: string,
  header: readonly string[],
  rows: () => readonly (readonly string[])[],
): HTMLElement {
  const details = element('details', { class: 'values' }, element('summary', {}, caption))
  details.addEventListener('toggle', () => details.append(createTable(caption, header, rows())), { once: true })
  return details
}

function createTable(caption: string, header: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const [head, body] = [element('thead'), element('tbody')]
  head.append(element('tr', {}, ...header.map((title) => element('th', { scope: 'col' }, title))))
  body.append(
    ...rows.map(([name = '', ...values]) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, name),
        ...values.map((value) => element('td', { class: 'n' }, value)),
      ),
    ),
  )
  const table = element('table', {}, element('caption', {}, caption), head, body)
  return element('div', { class: 'table', tabindex: '0', role: 'group', 'aria-label': caption }, table)
}
