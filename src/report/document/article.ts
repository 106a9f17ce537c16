import { type Evaluation } from '../../metrics/evaluate.ts'
import { type Block, paragraph, type ReportTree, type Section, tableBlock } from '../blocks/block.ts'
import { sectionKeys } from '../blocks/section-keys.ts'
import { computeFinding } from '../prose/finding.ts'
import { comparisonTitle } from '../published/table.ts'
import { settingsHeader } from '../tables/settings.ts'
import { type Table } from '../tables/table.ts'
import { createArticleTables, withoutShown } from './article-tables.ts'
import { splitAfterWords } from './split-after-words.ts'

/** Maximum number of words of a description in front. */
const maxWords = 80

/** Sections that an article shows as they are: those that warn of all of it, and those that people wrote. */
const whole: ReadonlySet<string> = new Set([sectionKeys.warnings, sectionKeys.analysis, sectionKeys.keyTakeaways])

/**
 * A report in the shape of a published section: finding, description, setting, chart, tables and analysis. All else is folded
 * at its end.
 * @param tree The whole report, with its comparison with published figures.
 */
export function articleTree(evaluation: Evaluation, tree: ReportTree): ReportTree {
  const of = (wanted: string): readonly Section[] => tree.sections.filter(({ key }) => key === wanted)
  const listBlocks = (wanted: string): readonly Block[] => of(wanted).flatMap(({ blocks }) => blocks)
  const all = tree.sections.flatMap(({ blocks }) => blocks)
  const front = createArticleTables(
    evaluation,
    all.flatMap((block) => (block.kind === 'table' ? [block.table] : [])),
  )
  const settings = listBlocks(sectionKeys.environment).filter(isSettings)
  const chart = all.filter(({ kind }) => kind === 'chart').slice(0, 1)
  const description = listBlocks(sectionKeys.description)
    .flatMap((block) => (block.kind === 'prose' ? [block.markdown] : []))
    .join('\n\n')
  const { text, rest } = splitAfterWords(description, maxWords)
  const shown: ReadonlySet<Block> = new Set([...settings, ...chart])
  const folded = tree.sections
    .filter(({ key }) => !whole.has(key))
    .flatMap(({ key, title, blocks }) =>
      titled(title, key === sectionKeys.description ? prose(rest) : foldedBlocks(blocks, shown, front)),
    )
  return {
    ...tree,
    sections: [
      ...of(sectionKeys.warnings),
      untitled('finding', findingBlocks(evaluation)),
      untitled(sectionKeys.description, prose(text)),
      untitled(sectionKeys.environment, settings),
      untitled(sectionKeys.charts, chart),
      ...front.map((table) => ({ key: findKey(table, tree), title: table.title, blocks: [tableBlock(table)] })),
      ...of(sectionKeys.analysis),
      ...of(sectionKeys.keyTakeaways),
      untitled(sectionKeys.measured, [{ kind: 'folded', summary: 'All figures, trust and setting', blocks: folded }]),
    ].filter(({ blocks }) => blocks.length > 0),
  }
}

const untitled = (key: string, blocks: readonly Block[]): Section => ({ key, title: null, blocks })

const prose = (markdown: string): readonly Block[] => (markdown === '' ? [] : [{ kind: 'prose', markdown }])

const isSettings = (block: Block): boolean =>
  block.kind === 'table' && String(block.table.columns.map(({ title }) => title)) === String(settingsHeader)

function findingBlocks(evaluation: Evaluation): readonly Block[] {
  const finding = computeFinding(evaluation)
  return finding === null ? [] : [paragraph(`${finding.text}: ${finding.ratio}.`, 'strong')]
}

/** The blocks of a section that do not stand in front, without the figures that do. */
const foldedBlocks = (blocks: readonly Block[], shown: ReadonlySet<Block>, front: readonly Table[]): readonly Block[] =>
  blocks.flatMap((block): readonly Block[] => {
    // The comparison is a column of the table in front, and a table below.
    if (shown.has(block) || (block.kind === 'chart' && block.chart.picture.title === comparisonTitle)) return []
    if (block.kind !== 'table') return [block]
    const table = withoutShown(block.table, front)
    return table === null ? [] : [tableBlock(table)]
  })

/** Blocks below their title, which is no heading where it is folded. */
const titled = (title: string | null, blocks: readonly Block[]): readonly Block[] =>
  title === null || blocks.length === 0 ? blocks : [paragraph(title, 'strong'), ...blocks]

/** The key that a table has in the whole report, by which documents know it. */
const findKey = ({ title }: Table, { sections }: ReportTree): string =>
  sections.find((one) => one.title?.toLowerCase() === title.toLowerCase())?.key ??
  `table-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`.replace(/-$/, '')
