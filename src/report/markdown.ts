import { legendOf } from './legend.ts'
import { type ReportSection } from './sections.ts'

/** The report as one Markdown text, with the definitions that it needs at its end. */
export function reportMarkdown({ title, parts }: ReportSection): string {
  const texts = parts.map((part) => (part.title === null ? part.text : `### ${part.title}\n\n${part.text}`))
  const legend = legendOf(texts.join('\n\n'))
  return `${[`## ${title}`, ...texts, ...(legend === '' ? [] : [legend])].join('\n\n')}\n`
}
