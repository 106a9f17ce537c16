import { basename } from 'node:path'
import { type Block, createListBlocks, paragraph, type Section, tableBlock } from '../../report/blocks/block.ts'
import { stylesFor } from '../../report/charts/drawing/palette.ts'
import { thinOut } from '../../report/charts/per-second.ts'
import { type Picture } from '../../report/charts/picture.ts'
import { createChart } from '../../report/charts/report-chart.ts'
import { sectionHtml } from '../../report/html/blocks.ts'
import { markup } from '../../report/html/markup.ts'
import { pageHtml } from '../../report/html/page.ts'
import { facts, headline, shapesTable } from './blocks.ts'
import { type TrafficSummary } from './summarize.ts'

/** Describes a recording as one HTML file, with all shapes and without values. */
export function trafficHtml(file: string, summary: TrafficSummary): string {
  const title = `Traffic in ${basename(file)}`
  const { shapes } = summary
  const texts = shapes.map(({ calls, text }) => `${calls} × ${text}`).join('\n\n')
  const sections: readonly Section[] = [
    {
      key: 'calls',
      title: null,
      blocks: [paragraph(headline(summary), 'strong'), ...createListBlocks(facts(summary))],
    },
    { key: 'time', title: null, blocks: chartBlocks(summary) },
    { key: 'shapes', title: null, blocks: [tableBlock(shapesTable(shapes, { namesFirst: true }))] },
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

/** Nothing where the recording has less than two whole seconds. */
function chartBlocks({ arrivals, durationUs }: TrafficSummary): readonly Block[] {
  const end = Math.floor(durationUs / 1_000_000)
  if (end < 2) return []
  const counts = withZeros(arrivals.bySecond, end).map(([second, calls]) => ({ x: second + 0.5, y: calls }))
  const label = 'Calls per second'
  const picture: Picture = {
    kind: 'line',
    title: label,
    x: { kind: 'linear', title: 'Time (s)', ticks: null, end },
    y: [{ title: label, unit: '', scale: 'linear' }],
    lines: [
      {
        label,
        colourKey: label,
        keyOf: 'measure',
        axis: 0,
        dots: false,
        points: thinOut(counts, end).map(({ x, y }) => ({ x, y, range: null })),
      },
    ],
  }
  const texts = { file: '', title: `${label}, as recorded`, subtitle: '', caption: '' }
  return [{ kind: 'chart', chart: createChart(picture, stylesFor([picture.lines]), texts) }]
}

type Counted = readonly [second: number, calls: number]

/** The ends of each stretch without calls, so that a line goes down to it. Seconds are not filled in one by one: a recording may say that it took years. */
function withZeros(bySecond: readonly Counted[], end: number): readonly Counted[] {
  const counts: Counted[] = []
  let next = 0
  const addEmpty = (until: number): void => {
    if (until > next) counts.push([next, 0])
    if (until > next + 1) counts.push([until - 1, 0])
  }
  for (const [second, calls] of bySecond.filter(([each]) => each < end)) {
    addEmpty(second)
    counts.push([second, calls])
    next = second + 1
  }
  addEmpty(end)
  return counts
}
