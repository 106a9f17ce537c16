import { type ReportSection } from './sections.ts'

/** The report as one text, in the form of the published tables. */
export function reportMarkdown({ title, parts }: ReportSection): string {
  const texts = parts.map((part) => (part.title === null ? part.text : `### ${part.title}\n\n${part.text}`))
  return `${[`## ${title}`, ...texts].join('\n\n')}\n`
}
