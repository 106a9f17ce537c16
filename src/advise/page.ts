import { basename } from 'node:path'
import { sectionHtml } from '../report/html/blocks.ts'
import { markup } from '../report/html/markup.ts'
import { pageHtml } from '../report/html/page.ts'
import { adviceBlocks, type ShownAdvice } from './answer.ts'
import { workChart } from './work-chart.ts'

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
