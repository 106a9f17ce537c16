import { dirname } from 'node:path'
import { readDocument, writeDocument } from '../document/document-file.ts'
import { documentSection, type ReportFiles, sourcePath } from '../document/document-section.ts'
import { refuseOtherResult } from '../document/other-result.ts'
import { parseDocument } from '../document/parse-document.ts'
import { newDocument, updateDocument } from '../document/update-document.ts'
import { prepareOutput } from '../results/results-file.ts'
import { isNotMeasuredHere } from '../report/provenance.ts'
import { type Result } from '../results/schema.ts'
import { findDocumentOf } from './find-specs.ts'
import { type CliContext } from './cli-context.ts'

/** A document that takes reports in, one by one, so that what goes wrong later loses none. */
export type OpenDocument = {
  readonly add: (result: Result, files: ReportFiles) => Promise<void>
  /** A run that did not get through leaves what was published before; one that this machine cannot do says so. */
  readonly addWhenDone: (result: Result, files: ReportFiles) => Promise<void>
}

/** A result before it is measured. */
type ResultToCome = { readonly spec: { readonly name: string }; readonly file: string }

type DocumentOptions = {
  readonly specs?: readonly string[]
  readonly results?: readonly ResultToCome[]
  readonly quiet?: boolean | undefined
  readonly reference?: boolean | undefined
}

/**
 * Looks at a document, before hours are spent on what goes into it.
 * @param specs What was asked to run: a folder of specs may hold the document to begin with.
 * @param results What will be put into it: refused now where the document shows other results of the same specs.
 * @param quiet Whether nothing is told but what people should look at.
 * @param reference Whether published figures stand beside the measured ones.
 * @throws {Problem} when its markers are broken, it shows another result, or its folder cannot be written to.
 */
export async function openDocument(
  file: string,
  { printStatus }: Pick<CliContext, 'printStatus'>,
  { specs = [], results = [], quiet = false, reference = false }: DocumentOptions = {},
): Promise<OpenDocument> {
  const beginning = await beginningOf(specs)
  const before = (await readDocument(file)) ?? beginning
  updateDocument(before, [], file)
  for (const { spec, file: result } of results)
    refuseOtherResult(parseDocument(before, file), spec.name, { path: await sourcePath(file, result) }, file)
  await prepareOutput(dirname(file))

  const add = async (result: Result, files: ReportFiles): Promise<void> => {
    // Read again each time: people may write in it while a long run goes on.
    const text = await readDocument(file)
    const updated = updateDocument(text ?? beginning, [await documentSection(file, result, files, { reference })], file)
    if (updated.text !== text) await writeDocument(file, updated.text)
    for (const remark of updated.remarks) printStatus(`${remark}\n`)
    if (!quiet) printStatus(`${file} shows ${result.spec.name} as it is now\n`)
  }
  return {
    add,
    async addWhenDone(result, files) {
      if (result.status === 'done' || result.warnings.some(isNotMeasuredHere)) await add(result, files)
      else printStatus(`${file} stays as it is: ${result.spec.name} did not get through\n`)
    },
  }
}

async function beginningOf(specs: readonly string[]): Promise<string> {
  const document = await findDocumentOf(specs)
  return (document === undefined ? null : await readDocument(document)) ?? newDocument
}
