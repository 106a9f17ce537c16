import { Problem } from '../../core/errors.ts'
import { type JsonObject, type Path, isObject, pathText } from '../../core/json.ts'
import { didYouMean, nearest } from '../../core/nearest.ts'
import type { ReportSpec } from '../../metrics/report-schema.ts'
import type { Result } from '../../results/schema.ts'
import { misfits, shownAs } from '../definition/quick-report.ts'
import { evaluateReport } from '../definition/report-spec.ts'
import { type CodeFence, endsFence, fenceIn } from '../markdown/code-fence.ts'
import { type Assertion, explainFailure, parseAssertion } from './assertions.ts'
import { computeSourceHash } from './sources.ts'

/** Texts of a section that its writer keeps in a file of its own, beside the spec. */
export type Prose = {
  readonly file: string
  readonly sha256: string
  readonly parts: ReadonlyMap<ProsePart, readonly Line[]>
  /** Values for its texts and assertions, after those of the report. */
  readonly let: JsonObject
  /** Lines of the comments with these values, by name. */
  readonly letLines: ReadonlyMap<string, number>
  readonly assertions: readonly Assertion[]
}

/** A part of a report that a writer may write. */
export type ProsePart = 'description' | 'analysis' | 'keyTakeaways'

export type Line = { readonly text: string; readonly line: number }

const partsByHeading: ReadonlyMap<string, ProsePart> = new Map([
  ['Description', 'description'],
  ['Analysis', 'analysis'],
  ['Key Takeaways', 'keyTakeaways'],
])

const comment = /<!--\s*(?:(\w+):\s)?\s*([^]*?)\s*-->/g
const commentKinds = ['holds', 'let']

/**
 * Parses a file of texts. A heading of level 2 begins a part; text before the first one is the analysis. Comments are not printed.
 * @throws {Problem} "document-invalid" with the line of what is wrong.
 */
export function parseProse(text: string, file: string): Prose {
  const found = [...text.matchAll(comment)].map((match) => {
    const [, kind = '', content = ''] = match
    const line = text.slice(0, match.index).split('\n').length
    refuseMistyped(kind, file, line)
    return { kind, content, line }
  })
  const lets = found.flatMap(({ kind, content, line }) =>
    kind === 'let' ? [{ values: parseLet(content, file, line), line }] : [],
  )
  return {
    file,
    sha256: computeSourceHash(text),
    parts: splitParts(text.replaceAll(comment, markLines), file),
    let: Object.assign({}, ...lets.map(({ values }) => values)) as JsonObject,
    letLines: new Map(lets.flatMap(({ values, line }) => Object.keys(values).map((name) => [name, line] as const))),
    assertions: found.flatMap(({ kind, content, line }) =>
      kind === 'holds' ? [parseAssertion(content, file, line)] : [],
    ),
  }
}

/** Any comment may be a note of the writer, but not one that nearly is an assertion. */
function refuseMistyped(kind: string, file: string, line: number): void {
  const near = commentKinds.includes(kind) ? undefined : nearest(kind, commentKinds)
  if (near === undefined) return
  throw new Problem('document-invalid', `${file}:${line}: there is no comment "${kind}:"${didYouMean(near)}`, {
    hint: 'Comments with a meaning are <!-- holds: … --> and <!-- let: … -->.',
  })
}

function parseLet(content: string, file: string, line: number): JsonObject {
  try {
    const values: unknown = JSON.parse(content)
    if (isObject(values)) return values
  } catch {
    // The message of the parser counts from the beginning of the comment.
  }
  throw new Problem('document-invalid', `${file}:${line}: the values of "let" are not an object of JSON`, {
    hint: 'Write <!-- let: {"perIndex": {"@metric": …}} -->, with expressions as in the report part of a spec.',
  })
}

/** Stands for a comment on each of its lines: one that has nothing else ends no paragraph. */
const commentSign = '\0'

const markLines = (text: string): string => text.replaceAll(/.+/g, commentSign)

function splitParts(text: string, file: string): Prose['parts'] {
  const parts = new Map<ProsePart, Line[]>()
  let part: ProsePart = 'analysis'
  let fence: CodeFence | null = null
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const line = index + 1
    const [, level, heading = ''] = fence === null ? (/^(##?)\s+(.*?)\s*$/.exec(content) ?? []) : []
    fence = fence === null ? fenceIn(content) : endsFence(content, fence) ? null : fence
    if (level === '##') part = findPart(heading, file, line)
    const own = content.replaceAll(commentSign, '').trimEnd()
    if (level !== undefined || (own === '' && content.includes(commentSign))) continue
    parts.set(part, [...(parts.get(part) ?? []), { text: own, line }])
  }
  return new Map([...parts].filter(([, lines]) => lines.some((one) => one.text !== '')))
}

function findPart(heading: string, file: string, line: number): ProsePart {
  const part = partsByHeading.get(heading)
  if (part !== undefined) return part
  const names = [...partsByHeading.keys()]
  const near = didYouMean(nearest(heading, names))
  throw new Problem('document-invalid', `${file}:${line}: a section has no part "${heading}"${near}`, {
    hint: `Parts are ${names.map((name) => `"## ${name}"`).join(', ')}. Headings inside of them have three signs or more.`,
  })
}

/**
 * A result whose report has the texts of a file instead of its own.
 * @throws {Problem} "document-invalid" with the line that names a figure that the result does not have.
 */
export function withProse(result: Result, prose: Prose): Result {
  const { parts, let: own } = prose
  const written = (isObject(result.spec.report) ? result.spec.report : {}) as ReportSpec
  const texts = Object.fromEntries([...parts].map(([part, lines]) => [part, lines.map(({ text }) => text)]))
  const report: ReportSpec = { ...written, let: { ...written.let, ...own }, ...texts }
  for (const { path, reason, nearest: near } of misfits(report, result)) {
    const line = findLine(path, prose)
    if (line !== undefined)
      throw misfit(prose, line, `${path[0] === 'let' ? `${pathText(path)}: ` : ''}${reason}`, near)
  }
  for (const { names, line } of prose.assertions)
    for (const name of names.filter((each) => !Object.hasOwn(report.let ?? {}, each)))
      throw misfit(prose, line, `"let" has no value "${name}"`, nearest(name, Object.keys(report.let ?? {})))
  const shown = shownAs(result, report)
  return parts.has('description') ? { ...shown, spec: { ...shown.spec, description: '' } } : shown
}

const misfit = ({ file }: Prose, line: number, reason: string, near: string | null | undefined): Problem =>
  new Problem('document-invalid', `${file}:${line}: ${reason}${didYouMean(near)}`, {
    hint: 'Figures are values of "let" in the report part of the spec, or in a comment <!-- let: {…} --> of this file.',
  })

/** The line of the file that a path of the report leads to. Undefined: it is not in the file. */
function findLine([part, key]: Path, { parts, letLines }: Prose): number | undefined {
  return part === 'let' ? letLines.get(String(key)) : parts.get(part as ProsePart)?.[Number(key)]?.line
}

/** The sentences of a file that are not true of its result, each as `file:line: why`. */
export function listUntrue(result: Result, prose: Prose): readonly string[] {
  const evaluation = evaluateReport(withProse(result, prose))
  return prose.assertions.flatMap((assertion) => {
    const why = explainFailure(assertion, evaluation)
    return why === null ? [] : [`${prose.file}:${assertion.line}: ${why}`]
  })
}
