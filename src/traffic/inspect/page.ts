import { basename } from 'node:path'
import { type Block, type Section, createListBlocks, paragraph, tableBlock } from '../../report/blocks/block.ts'
import { stylesFor } from '../../report/charts/drawing/palette.ts'
import type { Picture } from '../../report/charts/picture.ts'
import { createChart } from '../../report/charts/report-chart.ts'
import { sectionHtml } from '../../report/html/blocks.ts'
import { markup } from '../../report/html/markup.ts'
import { pageHtml } from '../../report/html/page.ts'
import { createWorkAnswer, createWorkBlocks, facts, headline, shapesTable } from './blocks.ts'
import type { TrafficSummary } from './summarize.ts'

/** Describes a recording as one HTML file, with all shapes and without values. */
export function trafficHtml(file: string, summary: TrafficSummary): string {
  const title = `Traffic in ${basename(file)}`
  const { shapes } = summary
  const texts = shapes.map(({ calls, text }) => `${calls} × ${text}`).join('\n\n')
  const sections: readonly Section[] = [
    {
      key: 'calls',
      title: null,
      blocks: [
        ...createWorkAnswer(shapes),
        paragraph(headline(summary), 'strong'),
        ...createListBlocks(facts(summary)),
      ],
    },
    { key: 'time', title: null, blocks: chartBlocks(summary) },
    { key: 'shapes', title: null, blocks: [tableBlock(shapesTable(shapes, 'first')), ...createWorkBlocks(shapes)] },
    {
      key: 'keys',
      title: null,
      blocks: [{ kind: 'folded', summary: 'Keys and types of each shape', blocks: [{ kind: 'code', text: texts }] }],
    },
  ]
  return pageHtml({
    title: `${title} – mongo-perf`,
    header: markup`<p class="eyebrow">mongo-perf recording</p><h1>${title}</h1>`,
    links: [],
    main: sections.filter(({ blocks }) => blocks.length > 0).map((section) => sectionHtml(section, (key) => key)),
    mode: 'file',
  })
}

/** Draws the rate over time. Empty for less than two complete bins. */
function chartBlocks({ arrivals: { overTime } }: TrafficSummary): readonly Block[] {
  const { secondsPerBin, calls } = overTime
  if (calls.length < 2) return []
  const label = 'Calls per second'
  const points = calls.map((count, i) => ({ x: (i + 0.5) * secondsPerBin, y: count / secondsPerBin, range: null }))
  const picture: Picture = {
    kind: 'line',
    title: label,
    x: { kind: 'linear', title: 'Time since the first call (s)', ticks: null, end: calls.length * secondsPerBin },
    y: [{ title: label, unit: '', scale: 'linear' }],
    lines: [{ label, colourKey: label, keyOf: 'measure', axis: 0, dots: false, points }],
  }
  const texts = { file: '', title: `${label}, as recorded`, subtitle: '', caption: '' }
  return [{ kind: 'chart', chart: createChart(picture, stylesFor([picture.lines]), texts) }]
}
