import { type Result } from '../../results/schema.ts'
import { intervalsChart } from '../charts/intervals.ts'
import { type ResultComparison } from '../comparison/comparison.ts'
import { pairResults } from '../comparison/pair-results.ts'
import { comparisonBlocks } from '../comparison/text.ts'
import { renderReport } from '../report.ts'
import { renderArticle, type Shown } from './article.ts'
import { blockHtml } from './blocks.ts'
import { type Markup, markup } from './markup.ts'
import { pageHtml } from './page.ts'
import { prepareShownResults } from './report-html.ts'

/** Compared results, and the verdicts on them. */
export type Compared = {
  readonly a: readonly Result[]
  readonly b: readonly Result[]
  readonly comparison: ResultComparison
}

/** Verdicts, and the reports of A and B beside each other, as one HTML file. */
export function comparisonHtml({ a, b, comparison }: Compared): string {
  const { pairs } = pairResults(a, b)
  const shown = prepareShownResults(
    pairs.flatMap((pair) => [pair.a, pair.b].map((result) => ({ result, report: renderReport(result) }))),
    pairs.flatMap(() => ['A', 'B']),
  )
  const [only, ...others] = pairs
  const title = `B against A: ${only !== undefined && others.length === 0 ? only.b.spec.title : `${pairs.length} specs`}`
  return pageHtml({
    title: `${title} – mongo-perf`,
    header: markup`<p class="eyebrow">mongo-perf comparison</p><h1>${title}</h1>`,
    links: [
      { id: 'verdicts', text: 'Verdicts' },
      ...shown.map(({ id, side, title: text }) => ({ id, text: `${side}: ${text}` })),
    ],
    main: markup`${verdictsHtml(comparison)}${pairs.map((_, index) => pairHtml(shown.slice(2 * index, 2 * index + 2)))}`,
    mode: 'file',
  })
}

function verdictsHtml(comparison: ResultComparison): Markup {
  const chart = intervalsChart(comparison)
  return markup`<section id="verdicts" class="block" aria-label="Verdicts">${comparisonBlocks(comparison, 'github').map(blockHtml)}${chart === null ? null : blockHtml({ kind: 'chart', chart })}</section>
`
}

function pairHtml(sides: readonly Shown[]): Markup {
  return markup`<div data-beside=""><section class="explore" data-overlay=""><h2>Percentiles of A and B</h2><noscript><p>This part needs JavaScript.</p></noscript></section>
<div class="sides">${sides.map((shown) => renderArticle(shown, false).html)}</div></div>
`
}
