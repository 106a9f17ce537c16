import { dirname } from 'node:path'
import { readDocument, writeDocument } from '../document/document-file.ts'
import { documentSection, type ReportFiles } from '../document/document-section.ts'
import { newDocument, updateDocument } from '../document/update-document.ts'
import { prepareOutput } from '../results/results-file.ts'
import { isNotMeasuredHere } from '../report/provenance.ts'
import { type Result } from '../results/schema.ts'
import { findDocumentOf } from './find-specs.ts'
import { type World } from './world.ts'

/** A document that takes reports in, one by one, so that what goes wrong later loses none. */
export type OpenDocument = {
  readonly add: (result: Result, files: ReportFiles) => Promise<void>
  /** A run that did not get through leaves what was published before; one that this machine cannot do says so. */
  readonly addWhenDone: (result: Result, files: ReportFiles) => Promise<void>
}

type DocumentOptions = {
  readonly specs?: readonly string[]
  readonly quiet?: boolean | undefined
  readonly reference?: boolean | undefined
}

/**
 * Looks at a document, before hours are spent on what goes into it.
 * @param specs What was asked to run: a folder of specs may hold the document to begin with.
 * @param quiet Whether nothing is told but what people should look at.
 * @param reference Whether published figures stand beside the measured ones.
 * @throws {Problem} when its markers are broken, or its folder cannot be written to.
 */
export async function openDocument(
  file: string,
  { tell }: Pick<World, 'tell'>,
  { specs = [], quiet = false, reference = false }: DocumentOptions = {},
): Promise<OpenDocument> {
  const beginning = await beginningOf(specs)
  updateDocument((await readDocument(file)) ?? beginning, [], file)
  await prepareOutput(dirname(file))

  const add = async (result: Result, files: ReportFiles): Promise<void> => {
    // Read again each time: people may write in it while a long run goes on.
    const text = await readDocument(file)
    const updated = updateDocument(text ?? beginning, [await documentSection(file, result, files, { reference })], file)
    if (updated.text !== text) await writeDocument(file, updated.text)
    for (const remark of updated.remarks) tell(`${remark}\n`)
    if (!quiet) tell(`${file} shows ${result.spec.name} as it is now\n`)
  }
  return {
    add,
    async addWhenDone(result, files) {
      if (result.status === 'done' || result.warnings.some(isNotMeasuredHere)) await add(result, files)
      else tell(`${file} stays as it is: ${result.spec.name} did not get through\n`)
    },
  }
}

async function beginningOf(specs: readonly string[]): Promise<string> {
  const document = await findDocumentOf(specs)
  return (document === undefined ? null : await readDocument(document)) ?? newDocument
}
