import type { Evaluation } from '../../metrics/evaluate.ts'
import { searchKinds, searchWords } from '../../metrics/search-words.ts'
import { type Verdict, thresholdVerdicts } from '../../metrics/thresholds.ts'
import { warningText } from '../../metrics/trust/notes.ts'
import type { Result } from '../../results/schema.ts'
import type { Warning } from '../../results/schema/warnings.ts'
import { isNotMeasuredHere } from '../../results/warnings/weights.ts'
import { createCharts } from '../charts/charts.ts'
import type { ReportChart } from '../charts/report-chart.ts'
import { distinctNames } from '../formats/file-names.ts'
import { collectEnvironmentFacts } from '../prose/environment.ts'
import { filledText } from '../prose/finding.ts'
import { measuredHow, unfinished } from '../prose/provenance.ts'
import { type MeasuredTable, createMeasuredTables } from '../tables/measured.ts'
import { createServerList } from '../tables/servers.ts'
import { type Table, plainTable, settingsTable } from '../tables/table.ts'
import { agentBlocks } from './agents.ts'
import { type Block, type ReportTree, type Section, paragraph, tableBlock } from './block.ts'
import { checkBlocks } from './checks.ts'
import { faultBlocks } from './faults.ts'
import { linkBlocks } from './links.ts'
import { sectionKeys } from './section-keys.ts'
import { setUpBlocks } from './set-up.ts'
import { shardBlocks } from './shards.ts'
import { trustBlocks } from './trust-block.ts'
import { pairBlocks, searchBlocks } from './windows.ts'

/** Every threshold with its worst row. Empty if there are none. */
function thresholdTables(result: Result): readonly Table[] {
  const verdicts = thresholdVerdicts(result)
  if (verdicts.length === 0) return []
  const hasLabels = verdicts.some(({ label }) => label !== '')
  return [
    plainTable(
      'Thresholds',
      [
        { title: 'Threshold', cell: ({ threshold }) => threshold },
        { title: 'Worst', cell: formatWorstValue },
        ...(hasLabels ? [{ title: 'Row', cell: ({ label }: Verdict) => label }] : []),
        { title: 'Verdict', cell: formatVerdict },
      ],
      verdicts,
    ),
  ]
}

const formatVerdict = ({ verdict, reason }: Verdict): string =>
  verdict === 'not judged' ? `${verdict}: ${reason}` : verdict

const formatWorstValue = ({ measured, reason }: Verdict): number | string | null =>
  measured === null ? reason : Number(measured.toPrecision(6))

const environmentTitle = 'Base Instance'

export function reportTree(
  evaluation: Evaluation,
  {
    tables = createMeasuredTables(evaluation),
    charts = createCharts(evaluation),
  }: { readonly tables?: readonly MeasuredTable[]; readonly charts?: readonly ReportChart[] } = {},
): ReportTree {
  const { result, spec } = evaluation
  const isEnvironment = ({ title }: Table): boolean => title.toLowerCase() === environmentTitle.toLowerCase()
  const ofEnvironment = tables.filter((table) => isEnvironment(table) && table.rows.length > 0)
  const servers = createServerList(evaluation)
  const settings = collectEnvironmentFacts(result).filter(({ name }) => !servers?.facts.has(name))
  const findings = [
    ...tableSections(tables.filter((table) => !isEnvironment(table))),
    section('agents', 'Agents', agentBlocks(result)),
    section('shards', 'Shards', shardBlocks(evaluation)),
    section('faults', 'Faults', faultBlocks(evaluation)),
    section(
      'charts',
      'Charts',
      charts.map((chart) => ({ kind: 'chart', chart })),
    ),
    section('analysis', 'Analysis', prose(filledText(spec.analysis, evaluation))),
    section('keyTakeaways', 'Key Takeaways', prose(filledText(spec.keyTakeaways, evaluation))),
    section('thresholds', 'Thresholds', thresholdTables(result).map(tableBlock)),
    section('checks', 'Checks', checkBlocks(result)),
    section('setUp', null, setUpBlocks(result)),
  ]
  const sections = [
    section('warnings', null, [...unfinished(result), ...result.warnings.map(ofWholeRun)]),
    ...searchKinds.map((kind) => section(kind, searchWords[kind].title, searchBlocks(result, kind))),
    section('pairs', 'With and without a Load', pairBlocks(result)),
    section('description', 'Description', [
      ...prose(result.spec.description),
      ...prose(filledText(spec.description, evaluation)),
    ]),
    section(
      'environment',
      environmentTitle,
      [...ofEnvironment, settingsTable(settings), ...(servers === null ? [] : [servers.table])].map(tableBlock),
    ),
    section('links', 'Links', linkBlocks(evaluation)),
    // Without measured rows there are no findings.
    ...(result.variants.length === 0 ? [] : findings),
    section('measured', null, [paragraph(measuredHow(result), 'aside')]),
  ]
  return {
    name: result.spec.name,
    title: result.spec.title,
    sections: sections.filter(({ blocks }) => blocks.length > 0),
  }
}

const section = (name: keyof typeof sectionKeys, title: string | null, blocks: readonly Block[]): Section => ({
  key: sectionKeys[name],
  title,
  blocks,
})

const prose = (markdown: string): readonly Block[] => (markdown.trim() === '' ? [] : [{ kind: 'prose', markdown }])

/** The tables, with the warnings about their rows under the first that has some. */
function tableSections(tables: readonly MeasuredTable[]): readonly Section[] {
  const titles = tables.map(({ title }) => title)
  const keys = distinctNames(titles, 'table', Object.values(sectionKeys))
  const sections = tables.map((table, index): Section => {
    const block = tableBlock(table)
    return {
      key: keys[index] ?? `table-${index + 1}`,
      title: table.isFolded ? null : table.title,
      blocks: [table.isFolded ? { kind: 'folded', summary: table.title, blocks: [block] } : block],
    }
  })
  const first = tables.findIndex(({ judged }) => judged.length > 0)
  return sections.toSpliced(first + 1, 0, section('trust', null, trustBlocks(tables)))
}

const ofWholeRun = (warning: Warning): Block => ({
  kind: 'warning',
  label: isNotMeasuredHere(warning) ? 'Not measured here' : null,
  text: warningText(warning),
})
