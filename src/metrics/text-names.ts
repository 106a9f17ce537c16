import { type Path } from '../core/json.ts'
import { type ReportSpec, type TextLine } from './report-schema.ts'

/** Verdicts that are possible on a ratio. */
const verdictNames = ['higher', 'lower', 'same', 'cannot tell', 'no verdict'] as const

export type VerdictName = (typeof verdictNames)[number]

/** The parts of a report that take `{{name}}`. */
const textParts = ['description', 'analysis', 'keyTakeaways'] as const

/** A value of `let` in a text: `{{name}}`, or `{{name.published}}` for what a ratio says about the published one. */
export const placeholder = /\{\{\s*(\w+)(\.published)?\s*\}\}/g

/** A name of `let` that a text reads, with its path in the report part. */
export type TextName = {
  readonly name: string
  readonly path: Path
  /** Whether it has to be a ratio; "published": one of a metric with published figures. */
  readonly ofRatio: boolean | 'published'
}

export const textNames = (report: ReportSpec): readonly TextName[] => [
  ...textParts.flatMap((part) => {
    const text = report[part] ?? []
    return typeof text === 'string'
      ? listTextNames(text, [part])
      : text.flatMap((line, index) => listTextNames(line, [part, index]))
  }),
  ...(report.finding === undefined ? [] : listTextNames(report.finding, ['finding'])),
]

function listTextNames(line: TextLine, path: Path): readonly TextName[] {
  if (typeof line === 'string')
    return [...line.matchAll(placeholder)].map(([, name = '', published]) => ({
      name,
      path,
      ofRatio: published === undefined ? false : 'published',
    }))
  const texts = [line.text, ...verdictNames.flatMap((verdict) => line[verdict] ?? [])]
  return [
    { name: line.ratio, path: [...path, 'ratio'], ofRatio: true },
    ...texts.flatMap((text) => listTextNames(text, path)),
  ]
}

export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].flatMap(([, name]) => name ?? [])
}
