import { type Picture } from '../charts/picture.ts'
import { barNumber, scaleFor } from '../charts/scales.ts'
import { originOf, originTexts } from '../charts/time-origin.ts'
import { percentileAt, type PercentileLine } from '../html/page-data.ts'
import { showChart } from './chart-view.ts'
import { element } from './element.ts'
import { sentence } from './sentence.ts'
import { valuesTable } from './values-table.ts'

const marks = [0, 50, 90, 99, 99.9, 99.99, 99.999]
/** More lines at once would hide each other. */
const shownFirst = 6

/** A line, and the number of its style. Default: its position. */
type StyledLine = PercentileLine & { readonly style?: number }

/** Latency by percentile, of open loops response time: the tail gets as much room as the middle. */
export function showPercentiles(place: HTMLElement, lines: readonly StyledLine[]): void {
  const { name, explanation } = originTexts[originOf(lines)]
  const picture = pictureOf(lines, name)
  const alt = `${name} in milliseconds by percentile, of ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}; the table below has the values.`
  const plot = element('div', { class: 'plot', role: 'img', 'aria-label': alt })
  const figure = element(
    'figure',
    { class: 'chart' },
    plot,
    ...(explanation === '' ? [] : [element('p', { class: 'caption' }, sentence(explanation))]),
    valuesTable('Percentiles', headerOf(lines), () => rowsOf(lines)),
  )
  place.append(figure)
  const texts = { file: '', title: picture.title, subtitle: '', caption: '', alt }
  showChart(plot, { ...texts, picture, styles: lines.map(({ style }, index) => style ?? index) }, shownFirst)
}

function pictureOf(lines: readonly PercentileLine[], name: string): Picture {
  const values = lines.flatMap(({ ms }) => ms)
  const end = percentileAt(Math.max(...lines.map(({ ms }) => ms.length)) - 1)
  return {
    kind: 'line',
    title: `${name} by percentile`,
    x: {
      kind: 'logarithmic',
      title: 'Percentile of the successful operations',
      ticks: marks
        .map((percent) => ({ value: 1 / (1 - percent / 100), label: `${percent} %` }))
        .filter(({ value }) => value <= end * 1.01),
    },
    y: [{ title: `${name} (ms)`, unit: 'ms', scale: scaleFor(values) }],
    lines: lines.map(({ label, ms }) => ({
      label,
      colourKey: label,
      keyOf: 'series',
      axis: 0,
      dots: false,
      points: ms.map((y, index) => ({ x: percentileAt(index), y, range: null })),
    })),
  }
}

const headerOf = (lines: readonly PercentileLine[]): readonly string[] => [
  'Percentile',
  ...lines.map(({ label }) => `${label} (ms)`),
]

const rowsOf = (lines: readonly PercentileLine[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.max(...lines.map(({ ms }) => ms.length)) }, (_, index) => [
    `${Number((100 * (1 - 1 / percentileAt(index))).toPrecision(6))} %`,
    ...lines.map(({ ms }) => (ms[index] === undefined ? '' : barNumber(ms[index]))),
  ])
