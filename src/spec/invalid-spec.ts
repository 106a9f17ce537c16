import { Problem } from '../core/errors.ts'
import { isObject, type Json, pathText } from '../core/json.ts'
import { findingText, type Issue } from '../language/issues.ts'
import { type ParsedFile } from './parse/parse-json.ts'

/** An issue of a spec, with where it is in the file: lines and columns count from 1. */
export type LocatedIssue = Issue & { readonly line: number; readonly column: number }

/** The problem with all issues of a spec, one per line, by position. Editors and CI parse `file:line:column:`. */
export class InvalidSpec extends Problem {
  readonly issues: readonly LocatedIssue[]

  /** @param isSpec Whether the file is meant to be a spec. Default true. */
  constructor(parsed: ParsedFile, found: readonly Issue[], isSpec = true) {
    const issues = found
      .map((issue) => ({ ...issue, ...parsed.locate(issue.path, issue.atKey) }))
      .toSorted((a, b) => a.line - b.line || a.column - b.column)
    const lines = issues.map((issue) => {
      const path = issue.path.length > 0 ? `${pathText(issue.path)}: ` : ''
      return `${parsed.file}:${issue.line}:${issue.column}: ${path}${findingText(issue)}`
    })
    super(found.every(({ refused }) => refused) ? 'refused' : 'spec-invalid', lines.join('\n'), {
      hint: `${lines.length === 1 ? 'One problem' : `${lines.length} problems`}; nothing was started.${adviceFor(parsed.value, isSpec)}`,
    })
    this.issues = issues
  }
}

function adviceFor(value: Json, isSpec: boolean): string {
  if (isObject(value) && '$schema' in value) return ''
  return isSpec && isObject(value) && !('phases' in value)
    ? ' A spec has "phases": is this one? `mongo-perf init FILE` writes one.'
    : ' Add "$schema" to the file to have your editor check it.'
}
