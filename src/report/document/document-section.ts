import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import type { Result } from '../../results/schema.ts'
import { evaluateReport } from '../definition/report-spec.ts'
import { computeFinding } from '../prose/finding.ts'
import { type ReportOptions, renderTree } from '../report.ts'
import { articleTree } from './article.ts'
import { resolveDocumentPath } from './document-file.ts'
import type { Layout } from './layout.ts'
import { findingAttributes } from './overview.ts'
import { type Prose, withProse } from './prose-file.ts'
import { computeSourceHash, encodePath, measuredAttributes, toProseAttributes } from './sources.ts'
import type { DocumentSection } from './update-document.ts'

export type ReportFiles = {
  /** Path of the result. */
  readonly result: string
  /** Path of the folder with the charts. */
  readonly charts: string
}

export type SectionOptions = ReportOptions & {
  /** An article compares with the published figures of the spec, where it names some. Default: "full". */
  readonly layout?: Layout
  /** The texts of its writer. Default: those of the report. @internal */
  readonly prose?: Prose | undefined
}

/** Renders the report of a result as a section of a document. */
export async function documentSection(
  document: string,
  measured: Result,
  files: ReportFiles,
  given: SectionOptions = {},
): Promise<DocumentSection> {
  const { layout = 'full', prose, ...options } = given
  const place = await resolveDocumentPath(document)
  const result = prose === undefined ? measured : withProse(measured, prose)
  const isArticle = layout === 'article'
  const tree = renderTree(result, isArticle ? { ...options, reference: true } : options)
  return {
    section: isArticle ? articleTree(evaluateReport(result), tree) : tree,
    charts: encodePath(pathFrom(place, files.charts)),
    source: { path: pathFrom(place, files.result), sha256: computeSourceHash(await readFile(files.result)) },
    measured: {
      ...measuredAttributes(result),
      ...(prose === undefined ? {} : toProseAttributes(pathFrom(place, prose.file), prose.sha256)),
      ...findingAttributes(computeFinding(evaluateReport(result))),
    },
  }
}

/** The path of a result, relative to a document. */
export const sourcePath = async (document: string, result: string): Promise<string> =>
  pathFrom(await resolveDocumentPath(document), result)

/** The path relative to the document, with forward slashes on every system. */
const pathFrom = (document: string, path: string): string =>
  relative(dirname(resolve(document)), resolve(path)).replaceAll('\\', '/')
