import { type Result } from '../../results/schema.ts'
import { type Section } from '../blocks/block.ts'
import { originOf, originTexts } from '../charts/time-origin.ts'
import { type Report } from '../report.ts'
import { reportSpecOf } from '../report-spec.ts'
import { sectionHtml } from './blocks.ts'
import { type Markup, markup } from './markup.ts'
import { type Overview, overviewHtml } from './overview.ts'
import { type DataFile, type PageData } from './page-data.ts'
import { packed } from './packed.ts'
import { percentileLinesOf } from './percentile-lines.ts'
import { runPointsOf } from './run-points.ts'
import { timeLinesOf } from './time-lines.ts'

/** A result with all that is shown of it. */
export type Shown = {
  readonly id: string
  /** "A", "B", or empty. */
  readonly side: string
  readonly title: string
  readonly result: Result
  readonly report: Pick<Report, 'tree' | 'csv'>
  readonly overview: Overview
  readonly file: DataFile
}

/** Sections on how something was measured stand behind those on what was found. */
const atTheEnd: ReadonlySet<string> = new Set(['base-instance', 'links', 'measured'])

/**
 * The report of one result.
 * @param isAlone Whether the page is about it alone, and its heading that of the page.
 */
export function articleHtml(shown: Shown, isAlone: boolean): Markup {
  const { id, side, title, report, overview } = shown
  const idOf = (key: string): string => `${id}-${key}`
  const { sections } = report.tree
  const [first, later] = [
    sections.filter(({ key }) => !atTheEnd.has(key)),
    sections.filter(({ key }) => atTheEnd.has(key)),
  ]
  const [warnings, rest] = [first.filter(isWarning), first.filter((section) => !isWarning(section))]
  return markup`<article id="${id}" class="result" data-result="" data-side="${side}" aria-label="${[side, title].filter((part) => part !== '').join(': ')}">
${
  // Its title is that of the page; the parts below need a heading above them.
  isAlone
    ? markup`<h2 class="hidden">Report</h2>
`
    : markup`<h2>${side === '' ? null : markup`<span class="side">${side}</span> `}${title}</h2>
`
}${overviewHtml(overview)}
${warnings.map((section) => sectionHtml(section, idOf))}
${rest.map((section) => sectionHtml(section, idOf))}
${exploreHtml(shown, isAlone)}
${later.map((section) => sectionHtml(section, idOf))}
</article>
`
}

const isWarning = ({ blocks }: Section): boolean => blocks.every(({ kind }) => kind === 'warning')

/** What the script draws of the data: each part only where there is something to draw. Percentiles of two sides are in one drawing beside them. */
function exploreHtml({ id, side, result, report, file }: Shown, isAlone: boolean): Markup {
  const spec = reportSpecOf(result)
  const hasPercentiles = side === '' && spec.charts.some(({ kind }) => kind === 'percentiles')
  const data: PageData = {
    spec: result.spec.effective,
    timeLines: timeLinesOf(result, spec),
    runPoints: runPointsOf(result, spec),
    percentiles: hasPercentiles ? [] : percentileLinesOf(result, spec),
    files: [
      file,
      ...report.csv.map(({ name, text }) => ({
        name: isAlone ? name : `${id}-${name}`,
        content: { kind: 'csv' as const, text },
        leftOut: '',
      })),
    ],
  }
  const parts = [
    { name: 'time', heading: 'Over time', isKnown: data.timeLines.length > 0 },
    {
      name: 'percentiles',
      heading: `${originTexts[originOf(data.percentiles)].name} by percentile`,
      isKnown: side === '' && data.percentiles.length > 0,
    },
    { name: 'runs', heading: 'Every run', isKnown: data.runPoints.length > 0 },
    { name: 'spec', heading: 'Effective spec', isKnown: true },
    { name: 'files', heading: 'Raw data', isKnown: true },
  ]
  return markup`${parts.map(({ name, heading, isKnown }) =>
    isKnown
      ? markup`<section class="explore" data-explore="${name}"><h3>${heading}</h3><noscript><p>This part needs JavaScript.</p></noscript></section>
`
      : null,
  )}${packed(data)}`
}
