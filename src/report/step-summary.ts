import { reportMarkdown } from './markdown.ts'
import { chartsKey, environmentKey, measuredKey, type ReportPart, type ReportSection } from './sections.ts'

/** What a job may have failed by. */
const verdicts: ReadonlySet<string> = new Set(['thresholds', 'checks'])
/** What readers look up after they have seen the findings. */
const folded: ReadonlySet<string> = new Set(['description', environmentKey, 'links', measuredKey])

/**
 * The report for the summary of a CI job: verdicts and findings first, the setting folded, and no charts, because such a page shows no files of the
 * job.
 */
export function stepSummary(section: ReportSection): string {
  const parts = section.parts.filter(({ key }) => key !== chartsKey)
  const first = parts.filter(({ key }) => verdicts.has(key))
  const findings = parts.filter(({ key }) => !verdicts.has(key) && !folded.has(key))
  const setting = parts.filter(({ key }) => folded.has(key))
  return reportMarkdown({ ...section, parts: [...first, ...findings, settingPart(setting)] })
}

function settingPart(parts: readonly ReportPart[]): ReportPart {
  const texts = parts.map(({ title, text }) => (title === null ? text : `**${title}**\n\n${text}`))
  const opening = '<details>\n<summary>What was measured, where and how</summary>'
  return { key: 'setting', title: null, text: [opening, ...texts, '</details>'].join('\n\n') }
}
