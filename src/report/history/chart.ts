import { readableNumber } from '../../metrics/format.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { stylesFor } from '../charts/drawing/palette.ts'
import { formatHeadline } from '../charts/headline.ts'
import { type Band, type Line, type Picture } from '../charts/picture.ts'
import { createChart, type ReportChart } from '../charts/report-chart.ts'
import { scaleFor } from '../charts/scales.ts'
import { fileNames } from '../formats/file-names.ts'
import { type HistoryFigure, type HistorySeries } from './history.ts'
import { formatDay } from './text.ts'

/** One chart for each measure of each series: medians with their intervals in the order of the runs, and a line at each change. */
export function historyCharts(all: readonly HistorySeries[]): readonly ReportChart[] {
  const drawn = all.flatMap((series) =>
    [...groupBy(series.figures, ({ measure }) => measure)]
      .filter(([, figures]) => figures.some(({ points }) => points.length > 1))
      .map(([measure, figures]) => ({ series, figures, name: `${series.name} ${series.spec} ${measure}` })),
  )
  const files = fileNames(
    drawn.map(({ name }) => name),
    'png',
  )
  return drawn.map(({ series, figures }, index) => {
    const picture = createHistoryPicture(series, figures)
    return createChart(picture, stylesFor([picture.lines]), {
      file: files[index] ?? `chart-${index + 1}.png`,
      title: formatHeadline(picture),
      subtitle: `${series.spec} (${series.name}) on ${series.machine}\n${picture.legend}`,
      caption: '',
    })
  })
}

function createHistoryPicture({ runs }: HistorySeries, figures: readonly HistoryFigure[]): Picture {
  const lines = figures.map(createHistoryLine)
  const values = figures.flatMap(({ points }) => points.map(({ median }) => median))
  const title = figures[0]?.title ?? ''
  const bands = figures.flatMap(createChangeBands)
  return {
    kind: 'line',
    title,
    finding: bands.length === 0 ? 'no change found' : bands.map(({ label }) => label).join('; '),
    x: {
      kind: 'category',
      title: 'Run',
      labels: runs.map(({ date, commit }, index) => formatRunLabel(date, commit, index, runs.length)),
    },
    y: [{ title, unit: '', scale: scaleFor(values), isCloseUp: true }],
    lines,
    bands,
    legend: `Points: medians of a run; whiskers: intervals of 95 %${bands.length > 0 ? '; vertical lines: changes' : ''}`,
  }
}

/** Number of labels that have room below the axis. */
const maxLabels = 10

function formatRunLabel(date: string, commit: string | null, index: number, count: number): string {
  const isShown = index % Math.ceil(count / maxLabels) === 0
  return isShown ? [formatDay(date), ...(commit === null ? [] : [commit])].join(' ') : ''
}

const createHistoryLine = ({ row, title, points }: HistoryFigure): Line => ({
  label: row === '' ? title : row,
  colourKey: row === '' ? title : row,
  keyOf: row === '' ? 'measure' : 'series',
  axis: 0,
  dots: true,
  points: points.map(({ run, median, low, high }) => ({ x: run, y: median, range: [low, high] })),
})

/** A line between the last run of the old level and the first of the new one. */
function createChangeBands({ row, finding }: HistoryFigure): readonly Band[] {
  if (finding.kind !== 'changes') return []
  return finding.changes.map(({ from, to, ratio }) => {
    const at = (from + to) / 2
    const moved = `${ratio > 1 ? '+' : '−'}${readableNumber(Math.abs(ratio - 1) * 100)} %`
    return { label: row === '' ? moved : `${row}: ${moved}`, from: at, to: at }
  })
}
