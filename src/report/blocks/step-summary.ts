import { type Block, paragraph, type ReportTree, type Section } from './block.ts'
import { sectionKeys } from './section-keys.ts'

/** Sections that a job may have failed by. */
const verdicts: ReadonlySet<string> = new Set([sectionKeys.thresholds, sectionKeys.checks])
/** Sections that readers look up after they have seen the findings. */
const looked: ReadonlySet<string> = new Set([
  sectionKeys.description,
  sectionKeys.environment,
  sectionKeys.links,
  sectionKeys.measured,
])

/**
 * A report for the summary of a CI job: verdicts and findings first, the setting folded, and no charts, because such a page shows no files of the
 * job.
 */
export function stepSummary(tree: ReportTree): ReportTree {
  const shown = tree.sections.filter(({ key }) => key !== sectionKeys.charts)
  const first = shown.filter(({ key }) => verdicts.has(key))
  const findings = shown.filter(({ key }) => !verdicts.has(key) && !looked.has(key))
  const setting = shown.filter(({ key }) => looked.has(key))
  return { ...tree, sections: [...first, ...findings, createSettingSection(setting)] }
}

const createSettingSection = (sections: readonly Section[]): Section => ({
  key: 'setting',
  title: null,
  blocks: [{ kind: 'folded', summary: 'What was measured, where and how', blocks: sections.flatMap(blocksWithTitle) }],
})

const blocksWithTitle = ({ title, blocks }: Section): readonly Block[] =>
  title === null ? blocks : [paragraph(title, 'strong'), ...blocks]
