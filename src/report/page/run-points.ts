import { Chart, type ChartConfiguration, type Scale } from 'chart.js'
import { computeRange } from '../../metrics/statistics.ts'
import { wrap } from '../charts/drawing/wrap.ts'
import { barNumber, logRange, logTicks, scaleFor } from '../charts/scales.ts'
import type { RunPoints } from '../html/page-data.ts'
import { choice, colourAt, currentLook, element } from './element.ts'
import type { SharedScales } from './shared-scales.ts'
import { valuesTable } from './values-table.ts'
import { drawWhenSeen } from './when-seen.ts'

const minHeightPerRow = 26
const heightPerLine = 14
const roomBetweenRows = 8
const heightAround = 70

/** The value of every run as a point, beside the figure of its row, on the same scale as in a result beside it. */
export function showRunPoints(place: HTMLElement, measures: readonly RunPoints[], scales: SharedScales): void {
  const figure = element('div')
  const show = (index: number): void => {
    const measure = measures[index]
    if (measure !== undefined) figure.replaceChildren(...createFigure(measure, scales))
  }
  const select = choice(
    'Metric',
    measures.map(({ title }) => title),
    show,
  )
  place.append(...(select === null ? [] : [select]), figure)
  show(0)
}

function createFigure(measure: RunPoints, scales: SharedScales): readonly HTMLElement[] {
  const { title, rows } = measure
  const canvas = element('canvas', {
    role: 'img',
    'aria-label': `${title} of every run, in ${rows.length} rows; the table below has the values.`,
  })
  const plot = element('div', { class: 'plot' }, canvas)
  let drawn: Chart<'scatter'> | undefined
  // Panels over time may have the same title.
  const scaleName = `Every run: ${title}`
  scales.join({
    title: scaleName,
    values: () => rows.flatMap((row) => row.values),
    isInPage: () => plot.isConnected,
    draw() {
      drawn?.destroy()
      const labels = createLabels(rows, plot.clientWidth)
      Object.assign(canvas, { width: plot.clientWidth, height: heightAround + rows.length * heightPerRow(labels) })
      drawn = new Chart(canvas, createConfiguration(measure, labels, scales.valuesOf(scaleName)))
    },
  })
  drawWhenSeen(plot, () => scales.redraw(scaleName))
  const runs = Math.max(...rows.map(({ values }) => values.length))
  const header = ['Row', ...Array.from({ length: runs }, (_, run) => `Run ${run + 1}`)]
  const table = valuesTable(`${title} of every run`, header, () =>
    rows.map(({ label, values }) =>
      [label].concat(
        Array.from({ length: runs }, (_, run) => (values[run] === undefined ? '' : barNumber(values[run]))),
      ),
    ),
  )
  const caption = `${title}. A point is a run, a line the metric of its row, as tables show it. ${sentence(measure.remark)}`
  return [element('p', { class: 'caption' }, caption), plot, table]
}

type Labels = readonly (readonly string[])[]

const createLabels = (rows: RunPoints['rows'], width: number): Labels =>
  rows.map(({ label }) => wrap(label, Math.max(14, Math.floor(width / 28))))

/** Whole labels: rows of which only the beginnings are shown may look the same. */
const heightPerRow = (labels: Labels): number =>
  Math.max(minHeightPerRow, Math.max(...labels.map(({ length }) => length)) * heightPerLine + roomBetweenRows)

/** @param values Between which it needs its scale. */
function createConfiguration(
  { title, rows }: RunPoints,
  labels: Labels,
  values: readonly number[],
): ChartConfiguration<'scatter'> {
  const look = currentLook()
  const { min, max } = computeRange(values)
  const scale = scaleFor(values)
  const ends = scale === 'logarithmic' ? logRange(values) : null
  return {
    type: 'scatter',
    data: {
      datasets: [
        // The first is drawn above the others.
        {
          label: crosses,
          data: rows.flatMap((row, y) => (row.trust === 'do not compare' ? row.values.map((x) => ({ x, y })) : [])),
          pointStyle: 'crossRot',
          pointRadius: 3.5,
          borderWidth: 2,
          borderColor: colourAt(0),
        },
        {
          label: 'runs',
          data: rows.flatMap((row, y) => row.values.map((x) => ({ x, y }))),
          pointRadius: 4,
          borderColor: colourAt(0),
          backgroundColor: rows.flatMap(({ values: of, trust }) =>
            of.map(() => (trust === undefined ? `${colourAt(0)}66` : look.ground)),
          ),
        },
        {
          label: 'runs together',
          data: rows.map((row, y) => ({ x: row.figure ?? Number.NaN, y })),
          pointStyle: 'line',
          pointRadius: 9,
          pointRotation: 90,
          borderWidth: 3,
          borderColor: look.ink,
        },
      ],
    },
    options: {
      responsive: false,
      animation: false,
      devicePixelRatio: Math.max(1, devicePixelRatio),
      locale: 'en-US',
      layout: { padding: { right: 20 } },
      scales: {
        x: {
          type: scale,
          ...(ends === null ? { grace: '5%', suggestedMin: min, suggestedMax: max } : logarithmic(ends)),
          title: { display: true, text: title, color: look.faint },
          grid: { color: look.grid },
          ticks: { color: look.ink, maxRotation: 0, callback: (value) => barNumber(Number(value)) },
        },
        y: {
          type: 'linear',
          reverse: true,
          min: -0.5,
          max: rows.length - 0.5,
          grid: { color: look.grid },
          afterBuildTicks: (axis) => {
            axis.ticks = rows.map((_, value) => ({ value }))
          },
          ticks: { color: look.ink, autoSkip: false, callback: (value) => [...(labels[Number(value)] ?? [])] },
        },
      },
      plugins: {
        legend: { display: false },
        tooltip: {
          backgroundColor: look.ink,
          titleColor: look.ground,
          bodyColor: look.ground,
          filter: ({ dataset }) => dataset.label !== crosses,
          callbacks: {
            title: ([item]) => rows[item?.parsed.y ?? 0]?.label ?? '',
            label: ({ dataset, parsed }) =>
              `${dataset.label === 'runs together' ? 'runs together: ' : ''}${barNumber(parsed.x ?? 0)}`,
          },
        },
      },
    },
  }
}

/** The dataset of what only crosses points out. */
const crosses = 'crosses'

const logarithmic = (ends: readonly [number, number]) => ({
  min: ends[0],
  max: ends[1],
  afterBuildTicks: (axis: Scale) => {
    axis.ticks = logTicks(ends).map(({ value }) => ({ value }))
  },
})

export const sentence = (parts: string): string =>
  parts === '' ? '' : `${parts.charAt(0).toUpperCase()}${parts.slice(1)}.`
