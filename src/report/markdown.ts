import { type ReportSection } from './sections.ts'

/** The report as one Markdown text. */
export function reportMarkdown({ title, parts }: ReportSection): string {
  const texts = parts.map((part) => (part.title === null ? part.text : `### ${part.title}\n\n${part.text}`))
  return `${[`## ${title}`, ...texts].join('\n\n')}\n`
}
