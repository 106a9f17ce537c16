import { distinct } from '../../core/json.ts'
import { parseAddress, withColumnName } from '../../metrics/address.ts'
import { type Evaluation } from '../../metrics/evaluate.ts'
import { areFromPlan, mergeHistograms, timesThatCount, samplesNeeded } from '../../metrics/latency.ts'
import { type ColumnSpec, type TableRows } from '../../metrics/report-schema.ts'
import { createScope } from '../../metrics/scope.ts'
import { isNumber } from '../../metrics/statistics.ts'
import { type Result } from '../../results/schema.ts'
import { type Latency } from '../../results/schema/latency.ts'
import { type Section } from '../blocks/block.ts'
import { markTrust, trustTexts } from '../charts/explanation.ts'
import { determineTimeOrigin, originTexts } from '../charts/time-origin.ts'
import { evaluateReport } from '../definition/report-spec.ts'
import { type Report } from '../report.ts'
import { sectionHtml } from './blocks.ts'
import { type Markup, markup, rounded } from './markup.ts'
import { overviewHtml } from './overview.ts'
import { packed } from './packed.ts'
import { type DataFile, type PageData, percentileAt, type PercentileLine, type RunPoints } from './page-data.ts'
import { type Page } from './page.ts'
import { labelled, createTimeLines } from './time-lines.ts'

/** A result with all that is shown of it. */
export type Shown = {
  readonly id: string
  /** "A", "B", or empty. */
  readonly side: string
  readonly title: string
  readonly result: Result
  readonly report: Pick<Report, 'tree' | 'csv' | 'overview'>
  readonly file: DataFile
}

/** Sections on how something was measured stand behind those on what was found. */
const atTheEnd: ReadonlySet<string> = new Set(['base-instance', 'links', 'measured'])

/** Parts of a page, and links to them in their order. */
type Linked = { readonly html: Markup; readonly links: Page['links'] }

/**
 * The report of one result.
 * @param isAlone Whether the page is about it alone, and its heading that of the page.
 */
export function renderArticle(shown: Shown, isAlone: boolean): Linked {
  const { id, side, title, report } = shown
  const idOf = (key: string): string => `${id}-${key}`
  const { sections } = report.tree
  const [first, later] = [
    sections.filter(({ key }) => !atTheEnd.has(key)),
    sections.filter(({ key }) => atTheEnd.has(key)),
  ]
  const [warnings, rest] = [first.filter(isWarning), first.filter((section) => !isWarning(section))]
  const explore = renderExplore(shown, isAlone)
  const linksTo = (of: readonly Section[]): Page['links'] =>
    of.flatMap(({ key, title: text }) => (text === null ? [] : { id: idOf(key), text }))
  const html = markup`<article id="${id}" class="result" data-result="" data-side="${side}" aria-label="${[side, title].filter((part) => part !== '').join(': ')}">
${
  // Its title is that of the page; the parts below need a heading above them.
  isAlone
    ? markup`<h2 class="hidden">Report</h2>
`
    : markup`<h2>${side === '' ? null : markup`<span class="side">${side}</span> `}${title}</h2>
`
}${overviewHtml(report.overview)}
${warnings.map((section) => sectionHtml(section, idOf))}
${rest.map((section) => sectionHtml(section, idOf))}
${explore.html}
${later.map((section) => sectionHtml(section, idOf))}
</article>
`
  return { html, links: [...linksTo(warnings), ...linksTo(rest), ...explore.links, ...linksTo(later)] }
}

const isWarning = ({ blocks }: Section): boolean => blocks.every(({ kind }) => kind === 'warning')

/** Renders what the script draws of the data: each part only where there is something to draw. Percentiles of two sides are in one drawing beside them. */
function renderExplore({ id, side, result, report, file }: Shown, isAlone: boolean): Linked {
  const evaluation = evaluateReport(result)
  const { spec } = evaluation
  const hasPercentiles = side === '' && spec.charts.some(({ kind }) => kind === 'percentiles')
  const data: PageData = {
    spec: result.spec.effective,
    timeLines: createTimeLines(evaluation),
    runPoints: collectRunPoints(evaluation),
    percentiles: hasPercentiles ? [] : createPercentileLines(evaluation),
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
      heading: `${originTexts[determineTimeOrigin(data.percentiles)].name} by percentile`,
      isKnown: side === '' && data.percentiles.length > 0,
    },
    { name: 'runs', heading: 'Every run', isKnown: data.runPoints.length > 0 },
    { name: 'spec', heading: 'Effective spec', isKnown: true },
    { name: 'files', heading: 'Raw data', isKnown: true },
  ].filter(({ isKnown }) => isKnown)
  const idOf = (name: string): string => `${id}-explore-${name}`
  return {
    html: markup`${parts.map(
      ({
        name,
        heading,
      }) => markup`<section id="${idOf(name)}" class="explore" data-explore="${name}"><h3>${heading}</h3><noscript><p>This part needs JavaScript.</p></noscript></section>
`,
    )}${packed(data)}`,
    links: parts.map(({ name, heading }) => ({ id: idOf(name), text: heading })),
  }
}

/** Latency by percentile of every operation of every row, over its runs; response times in an open loop. */
export function createPercentileLines(evaluation: Evaluation): readonly PercentileLine[] {
  return labelled(evaluation, 'operations').flatMap(({ row, label }) => {
    const { target: place } = row
    if (place?.kind !== 'operation') return []
    const operations = row.runs.flatMap((run) => createScope(run, place)?.operations ?? [])
    const ms = computePercentilePoints(timesThatCount(operations))
    return ms.length === 0 ? [] : [{ label: label || place.operation, ms, isFromPlan: areFromPlan(operations) }]
  })
}

function computePercentilePoints(parts: readonly Latency[]): readonly number[] {
  const histogram = mergeHistograms(parts)
  if (histogram === null || histogram.totalCount < samplesNeeded(0.5)) return []
  const points: number[] = []
  // With fewer samples above it, a percentile is one of a few slow operations.
  for (let at = 1; histogram.totalCount >= samplesNeeded(1 - 1 / at); at = percentileAt(points.length))
    points.push(rounded(histogram.getValueAtPercentile(100 * (1 - 1 / at)) / 1000))
  return points
}

const maxMetrics = 6
const shownRows: ReadonlySet<TableRows> = new Set(['variants', 'operations'])

/** With whether higher values are better, as for throughput: such measures come first, because the time taken is often given. */
type RankedPoints = RunPoints & { readonly isFirst: boolean }

/** The values of every run, for the measures that the tables show. Empty where rows were run once. */
export function collectRunPoints(evaluation: Evaluation): readonly RunPoints[] {
  const { spec, shape, figure } = evaluation
  const metrics = spec.tables
    .filter(({ rows }) => shownRows.has(rows))
    .flatMap(({ rows, columns }) => columns.flatMap((column) => metricIn(column).map((metric) => ({ metric, rows }))))
  return distinct(metrics)
    .flatMap(({ metric, rows: kind }): readonly RankedPoints[] => {
      const address = parseAddress(metric, shape, kind)
      const points = labelled(evaluation, kind).map(({ row, label }) => {
        const { cell, runs, trust } = figure(row, address)
        return Object.assign(markTrust(trust), {
          label: label || 'all operations',
          values: runs.map(rounded),
          figure: isNumber(cell) ? rounded(cell) : null,
        })
      })
      const known = points.filter(({ values }) => values.length > 0)
      const place = withColumnName(metric).split('.').slice(0, -1).join('.')
      const isFirst = address.column.better === 'higher'
      const title = [place, address.column.title].filter((part) => part !== '').join(': ')
      return known.some(({ values }) => values.length > 1)
        ? [{ title, rows: known, remark: trustTexts(known, isFirst).join('; '), isFirst }]
        : []
    })
    .toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))
    .slice(0, maxMetrics)
    .map(({ title, remark, rows }) => ({ title, remark, rows }))
}

const metricIn = (column: ColumnSpec): readonly string[] => {
  if (typeof column === 'string') return [column]
  return 'metric' in column && column.at === undefined ? [column.metric] : []
}
