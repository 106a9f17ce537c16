import { sectionKeys } from '../blocks/section-keys.ts'
import { escapeCell } from '../markdown/escape.ts'
import { safeCell } from '../markdown/safe-markdown.ts'
import { tableOfCells } from '../markdown/table.ts'
import { type ReportFinding } from '../finding.ts'
import { anchorsOf, linkText } from './anchors.ts'
import { type Attributes } from './markers.ts'
import { type ParsedDocument } from './parse-document.ts'

/** A finding as attributes of the block on how its section was measured, from which later updates read it. */
export const findingAttributes = (finding: ReportFinding | null): Attributes =>
  finding === null ? {} : { finding: finding.text, ratio: finding.ratio, limit: finding.limitedBy }

/** A table of what the sections found out, in their order, with links to them. Empty if none names a finding. */
export function findingsText({ blocks, headings }: ParsedDocument): string {
  const anchors = anchorsOf(headings)
  const lines = blocks.flatMap(({ name, from, attributes: { finding, ratio = '', limit = '' } }) => {
    if (finding === undefined || !name.endsWith(`/${sectionKeys.measured}`)) return []
    const heading = headings.findLastIndex(({ level, line }) => level <= 2 && line < from)
    const text = safeCell(finding)
    return [[heading < 0 ? text : `[${linkText(text)}](#${anchors[heading]})`, escapeCell(ratio), escapeCell(limit)]]
  })
  return lines.length === 0 ? '' : tableOfCells([['What is compared', 'Ratio', 'Limited by'], ...lines])
}
