import { formatQuantity } from '../../core/quantities.ts'
import { looks } from '../charts/drawing/look.ts'
import { type Picture } from '../charts/picture.ts'
import { barNumber, scaleFor } from '../charts/scales.ts'
import { determineTimeOrigin, originTexts } from '../charts/time-origin.ts'
import { type PackedValues, unpackValues } from '../html/packed-values.ts'
import { type DataFile, type PageData, percentileAt, type PercentileLine } from '../html/page-data.ts'
import { showChart } from './chart-view.ts'
import { button, element } from './element.ts'
import { sentence, showRunPoints } from './run-points.ts'
import { showTimeAxes } from './time-axes.ts'
import { timeWindow, type TimeWindow } from './time-window.ts'
import { valuesTable } from './values-table.ts'

const parts: ReadonlyMap<string, (place: HTMLElement, data: PageData, view: TimeWindow) => void> = new Map([
  ['time', (place, { timeLines }, view) => showTimeAxes(place, timeLines, view)],
  ['percentiles', (place, { percentiles }) => showPercentiles(place, percentiles)],
  ['runs', (place, { runPoints }, { scales }) => showRunPoints(place, runPoints, scales)],
  ['spec', (place, { spec }) => showSpec(place, spec)],
  ['files', (place, { files }) => showDownloads(place, files)],
])

/** Fills the parts of a page that are drawn of packed data. Results side by side show the same part of their times. */
export async function setUpExploring(root: ParentNode): Promise<void> {
  const results = [...root.querySelectorAll<HTMLElement>('article[data-result]')]
  const alone = results.filter((result) => result.closest('[data-beside]') === null)
  await Promise.all([
    ...alone.map((result) => fill(result, timeWindow())),
    ...[...root.querySelectorAll<HTMLElement>('[data-beside]')].map(fillPair),
  ])
}

async function fillPair(pair: HTMLElement): Promise<void> {
  const view = timeWindow()
  const sides: Side[] = []
  for (const result of pair.querySelectorAll<HTMLElement>('article[data-result]'))
    sides.push({ side: result.dataset['side'] ?? '', data: await fill(result, view) })
  const place = pair.querySelector<HTMLElement>('[data-overlay]')
  const lines = overlaid(sides)
  if (place === null) return
  if (lines.length === 0) place.remove()
  else showPercentiles(place, lines)
}

type Side = { readonly side: string; readonly data: PageData }

/** The lines of both sides, each beside that of the other: with one colour, and the second dashed. */
function overlaid(sides: readonly Side[]): readonly (PercentileLine & { readonly style: number })[] {
  const labels = [...new Set(sides.flatMap(({ data }) => data.percentiles.map(({ label }) => label)))]
  return labels.flatMap((label, index) =>
    sides.flatMap(({ side, data }, round) =>
      data.percentiles.flatMap((line) =>
        line.label === label
          ? [{ ...line, label: `${side}: ${label}`, style: (index % seriesCount) + round * seriesCount }]
          : [],
      ),
    ),
  )
}

const seriesCount = looks.light.series.length

async function fill(result: HTMLElement, view: TimeWindow): Promise<PageData> {
  const data = await unpack(result)
  for (const place of result.querySelectorAll<HTMLElement>('[data-explore]'))
    parts.get(place.dataset['explore'] ?? '')?.(place, data, view)
  return data
}

/** The effective spec as text, when the reader asks for it. */
function showSpec(place: HTMLElement, spec: unknown): void {
  const text = element('pre', { tabindex: '0' }, JSON.stringify(spec, null, 2))
  place.append(element('details', {}, element('summary', {}, 'The spec with its profile and settings applied'), text))
}

async function unpack(result: ParentNode): Promise<PageData> {
  const base64 = result.querySelector('script[data-packed]')?.textContent ?? ''
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return unpackValues(JSON.parse(await new Response(stream).text()) as PackedValues) as unknown as PageData
}

const types = { json: 'application/json', csv: 'text/csv' } as const

/** Buttons that save the files of a result. */
function showDownloads(place: HTMLElement, files: readonly DataFile[]): void {
  const items = files.map((file) =>
    element(
      'li',
      {},
      button(`Save ${file.name}`, () => save(file)),
      file.leftOut === '' ? '' : ` ${file.leftOut}; the result.json of the run has them`,
    ),
  )
  place.append(element('ul', { class: 'files' }, ...items))
}

function save({ name, content }: DataFile): void {
  const text = content.kind === 'json' ? `${JSON.stringify(content.value)}\n` : content.text
  const url = URL.createObjectURL(new Blob([text], { type: types[content.kind] }))
  const link = element('a', { href: url, download: name })
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

const marks = [0, 50, 90, 99, 99.9, 99.99, 99.999]
/** More lines at once would hide each other. */
const shownFirst = 6

/** A line, and the number of its style. Default: its position. */
type StyledLine = PercentileLine & { readonly style?: number }

/** Latency by percentile, of open loops response time: the tail gets as much room as the middle. */
function showPercentiles(place: HTMLElement, lines: readonly StyledLine[]): void {
  const { name, explanation } = originTexts[determineTimeOrigin(lines)]
  const picture = createPicture(lines, name)
  const alt = `${name} in milliseconds by percentile, of ${formatQuantity(lines.length, 'line')}; the table below has the values.`
  const plot = element('div', { class: 'plot', role: 'img', 'aria-label': alt })
  const figure = element(
    'figure',
    { class: 'chart' },
    plot,
    ...(explanation === '' ? [] : [element('p', { class: 'caption' }, sentence(explanation))]),
    valuesTable('Percentiles', createHeader(lines), () => createRows(lines)),
  )
  place.append(figure)
  const texts = { file: '', title: picture.title, subtitle: '', caption: '', alt }
  showChart(plot, { ...texts, picture, styles: lines.map(({ style }, index) => style ?? index) }, shownFirst)
}

function createPicture(lines: readonly PercentileLine[], name: string): Picture {
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

const createHeader = (lines: readonly PercentileLine[]): readonly string[] => [
  'Percentile',
  ...lines.map(({ label }) => `${label} (ms)`),
]

const createRows = (lines: readonly PercentileLine[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.max(...lines.map(({ ms }) => ms.length)) }, (_, index) => [
    `${Number((100 * (1 - 1 / percentileAt(index))).toPrecision(6))} %`,
    ...lines.map(({ ms }) => (ms[index] === undefined ? '' : barNumber(ms[index]))),
  ])
