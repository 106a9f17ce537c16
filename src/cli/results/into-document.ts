import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { findProseFile, listRenamed, readDocument, writeDocument } from '../../report/document/document-file.ts'
import { type ReportFiles, documentSection, sourcePath } from '../../report/document/document-section.ts'
import { type Layout, readLayout, withLayout } from '../../report/document/layout.ts'
import { type Document, parseDocument } from '../../report/document/parse-document.ts'
import { type Prose, listUntrue, parseProse } from '../../report/document/prose-file.ts'
import { refuseOtherResult } from '../../report/document/sources.ts'
import { newArticle, newDocument, updateDocument } from '../../report/document/update-document.ts'
import { prepareOutput } from '../../results/files/results-file.ts'
import type { Result } from '../../results/schema.ts'
import { isNotMeasuredHere } from '../../results/warnings/weights.ts'
import type { CliContext } from '../cli-context.ts'
import { findDocumentTemplate } from '../specs/find-specs.ts'

/** A document to which reports are added one by one, so that a later failure loses none. */
export type OpenDocument = {
  readonly add: (result: Result, files: ReportFiles) => Promise<void>
  /** Adds the report unless the run did not finish. A spec that cannot be measured here is added with that warning. */
  readonly addWhenDone: (result: Result, files: ReportFiles) => Promise<void>
}

/** @throws {Problem} "usage" for a layout without a document. */
export function refuseLayoutAlone({ layout, into }: { readonly layout?: Layout; readonly into?: string }): void {
  if (layout === undefined || into !== undefined) return
  throw new Problem('usage', '--layout is the shape of the sections of a document', {
    hint: 'Name the document with --into.',
  })
}

/** A result that is not measured yet. */
type ResultToCome = { readonly spec: { readonly name: string }; readonly file: string }

type DocumentOptions = {
  readonly specs?: readonly string[]
  readonly results?: readonly ResultToCome[]
  readonly quiet?: boolean | undefined
  readonly reference?: boolean | undefined
  readonly layout?: Layout | undefined
  readonly findProse?: FindProse
}

/** The path of the file with the texts of a spec, which need not exist. */
export type FindProse = (name: string) => string | undefined

/** The file of the texts beside a spec. */
export const besideSpec = (spec: string): string | undefined =>
  spec.endsWith('.json') ? spec.replace(/\.json$/, '.md') : undefined

/**
 * Opens a document and validates it before hours are spent on the results.
 * @param specs The specs of the command line: their folder may hold a template for the document.
 * @param results Results that will be added: refused now if the document shows other results of the same specs.
 * @param quiet Whether to print only warnings.
 * @param reference Whether published figures are shown beside the measured ones.
 * @param layout The shape of its sections from now on. Default: the one that it names.
 * @param findProse Where the texts of a spec are. Default: where its section had them from, else in its report.
 * @throws {Problem} when its markers are broken, it shows another result, or its folder cannot be written to.
 */
export async function openDocument(
  file: string,
  { printStatus }: Pick<CliContext, 'printStatus'>,
  { specs = [], results = [], quiet = false, reference = false, layout, findProse }: DocumentOptions = {},
): Promise<OpenDocument> {
  const laidOut = (text: string): string =>
    layout === undefined ? text : withLayout(parseDocument(text, file), layout)
  const beginning = await readInitialDocument(specs, layout)
  const before = laidOut((await readDocument(file)) ?? beginning)
  updateDocument(before, [], file)
  for (const { spec, file: result } of results)
    refuseOtherResult(parseDocument(before, file), spec.name, { path: await sourcePath(file, result) })
  await prepareOutput(dirname(file))

  const readProse = async (name: string, current: Document): Promise<Prose | undefined> => {
    const given = findProse?.(name)
    const path = given !== undefined && existsSync(given) ? given : await findProseFile(current, name)
    if (path === null) return undefined
    const text = await readDocument(path)
    if (text !== null) return parseProse(text, path)
    throw new Problem('document-invalid', `${file}: ${path} is missing, the source of the texts of ${name}`, {
      hint: 'Nothing was written. Put the file back, or name its folder with --prose.',
    })
  }
  const add = async (result: Result, files: ReportFiles): Promise<void> => {
    // Read again each time: users may edit it during a long run.
    const text = await readDocument(file)
    const current = laidOut(text ?? beginning)
    const document = parseDocument(current, file)
    const prose = await readProse(result.spec.name, document)
    const options = { reference, prose, layout: readLayout(document) }
    const updated = updateDocument(current, [await documentSection(file, result, files, options)], file)
    for (const remark of updated.replaced) printStatus(`${remark}\n`)
    if (updated.text !== text) await writeDocument(file, updated.text)
    const untrue = prose === undefined ? [] : listUntrue(result, prose)
    const renamed = await listRenamed(parseDocument(updated.text, file), result)
    for (const remark of [...updated.remarks, ...renamed, ...untrue]) printStatus(`${remark}\n`)
    if (!quiet) printStatus(`${file} shows ${result.spec.name} as it is now\n`)
  }
  return {
    add,
    async addWhenDone(result, files) {
      if (result.status === 'done' || result.warnings.some(isNotMeasuredHere)) await add(result, files)
      else printStatus(`${file} is unchanged: ${result.spec.name} did not finish\n`)
    },
  }
}

async function readInitialDocument(specs: readonly string[], layout: Layout | undefined): Promise<string> {
  const document = await findDocumentTemplate(specs)
  const template = document === undefined ? null : await readDocument(document)
  return template ?? (layout === 'article' ? newArticle : newDocument)
}
