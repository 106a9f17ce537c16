import { basename } from 'node:path'
import { type Block } from '../report/blocks/block.ts'
import { stylesFor } from '../report/charts/drawing/palette.ts'
import { type Line, type Picture } from '../report/charts/picture.ts'
import { createChart } from '../report/charts/report-chart.ts'
import { sectionHtml } from '../report/html/blocks.ts'
import { markup } from '../report/html/markup.ts'
import { pageHtml } from '../report/html/page.ts'
import { type AdvisedShape } from './advise-on-collection.ts'
import { type Advice } from './advise.ts'
import { adviceBlocks, type ShownAdvice } from './answer.ts'

/** Shows advice as one HTML file, without values of the calls. */
export function adviceHtml(shown: ShownAdvice): string {
  const title = `Indexes for ${basename(shown.source)}`
  return pageHtml({
    title: `${title} – mongo-perf`,
    header: markup`<p class="eyebrow">mongo-perf advice</p><h1>${title}</h1>`,
    links: [],
    main: [
      sectionHtml({ key: 'advice', title: null, blocks: [...adviceBlocks(shown), ...workChart(shown)] }, (key) => key),
    ],
    mode: 'file',
  })
}

const maxShapes = 30
/** Values that lie farther apart than this would not be seen beside each other in bars. */
const widestLinear = 50

/** Draws the work of all operations of each shape, today and with the advice. Empty: nothing was counted. */
export function workChart({ collections }: Pick<Advice, 'collections'>): readonly Block[] {
  const all = new Map(collections.flatMap(({ shapes }) => shapes.map((shape) => [shape.group, shape] as const)))
  const most = [...all.values()].toSorted((one, other) => countMost(other) - countMost(one)).slice(0, maxShapes)
  if (most.length === 0) return []
  const works = most.flatMap(({ group, today, advised }) => [today, advised].map((work) => work * group.count))
  const isWide = Math.max(...works) > widestLinear * Math.min(...works)
  const createLine = (label: string, readWork: (shape: AdvisedShape) => number): Line => ({
    label,
    colourKey: label,
    keyOf: 'series',
    axis: 0,
    dots: true,
    points: most.map((shape, x) => {
      const work = shape.group.count * readWork(shape)
      return { x, y: work === 0 && isWide ? null : work, range: null }
    }),
  })
  const title = 'Work of all operations of each shape'
  const picture: Picture = {
    kind: 'bar',
    title,
    x: { kind: 'category', title: '', labels: most.map(({ name }) => name) },
    y: [{ title: 'Work', unit: '', scale: isWide ? 'logarithmic' : 'linear' }],
    lines: [createLine('today', ({ today }) => today), createLine('with the advice', ({ advised }) => advised)],
  }
  const caption = all.size > most.length ? `the ${most.length} shapes with most work of ${all.size}` : ''
  const texts = {
    file: '',
    title,
    subtitle: 'keys and documents that are examined, and documents that are sorted',
    caption,
  }
  return [{ kind: 'chart', chart: createChart(picture, stylesFor([picture.lines]), texts) }]
}

const countMost = ({ group, today, advised }: AdvisedShape): number => group.count * Math.max(today, advised)
