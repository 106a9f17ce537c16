import { type Result } from '../../results/schema.ts'
import { distinctNames } from '../formats/file-names.ts'
import { type Report, type ReportOptions, renderReport } from '../report.ts'
import { renderArticle, type Shown } from './article.ts'
import { type Markup, markup } from './markup.ts'
import { overviewRow } from './overview.ts'
import { resultFiles } from './packed.ts'
import { pageHtml } from './page.ts'

/** A result, and its report if that was rendered before. */
export type Rendered = { readonly result: Result; readonly report: Report }

/** The report of one or several results as one HTML file, which needs nothing else. */
export const resultsHtml = (results: readonly Result[], options: ReportOptions = {}): string =>
  renderedHtml(results.map((result) => ({ result, report: renderReport(result, options) })))

/** The same of reports that were rendered before. */
export function renderedHtml(rendered: readonly Rendered[], mode: 'file' | 'live' = 'file'): string {
  const shown = prepareShownResults(rendered)
  const [only, ...others] = shown
  const isAlone = others.length === 0
  const articles = shown.map((one) => renderArticle(one, isAlone))
  const title = only !== undefined && isAlone ? only.title : `${shown.length} results`
  return pageHtml({
    title: `${title} – mongo-perf`,
    header: markup`<p class="eyebrow">mongo-perf report</p><h1>${title}</h1>`,
    links: isAlone ? articles.flatMap(({ links }) => links) : shown.map(({ id, title: text }) => ({ id, text })),
    main: markup`${isAlone ? null : summaryHtml(shown)}${articles.map(({ html }) => html)}`,
    mode,
  })
}

/** Results with ids that differ, and what is shown of each. */
export function prepareShownResults(rendered: readonly Rendered[], sides: readonly string[] = []): readonly Shown[] {
  const titles = rendered.map(({ result }) => result.spec.title)
  const names = rendered.map(({ result }, index) =>
    [result.spec.name, sides[index] ?? ''].filter((part) => part !== '').join('-'),
  )
  const ids = distinctNames(names, 'result', ['main'])
  const files = resultFiles(rendered.map(({ result }) => result))
  return rendered.flatMap(({ result, report }, index) => {
    const file = files[index]
    if (file === undefined) return []
    const name = names[index] ?? 'result'
    const id = ids[index] ?? `result-${index + 1}`
    return {
      id,
      side: sides[index] ?? '',
      title: titles[index] ?? name,
      result,
      report,
      file: { ...file, name: `${id}.json` },
    }
  })
}

/** The findings of all results, with links to them. */
function summaryHtml(shown: readonly Shown[]): Markup {
  return markup`<section class="block" aria-label="Findings"><div class="table" tabindex="0" role="group" aria-label="Findings"><table>
<caption>Findings, and how far to believe them</caption>
<thead><tr>${['Result', 'Finding', 'Limited by', 'Trust'].map((title) => markup`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${shown.map(({ title, id, report }) => overviewRow(title, id, report.overview))}</tbody>
</table></div></section>
`
}
