import { dirname, join } from 'node:path'
import { readResult } from '../../results/files/results-file.ts'
import { readDocument, resolveDocumentPath } from './document-file.ts'
import { parseDocument } from './parse-document.ts'
import { parseProse } from './prose-file.ts'
import { parseProseSource, parseSource } from './sources.ts'
import { listUntrue } from './with-prose.ts'

/**
 * Lists the faults of texts that writers keep in files: changed since, missing, or not true of the result. Each as
 * `file:line: what`.
 */
export async function checkProse(text: string, file: string): Promise<readonly string[]> {
  const folder = dirname(await resolveDocumentPath(file))
  const wrong: string[] = []
  for (const block of parseDocument(text, file).blocks) {
    const [prose, source] = [parseProseSource(block), parseSource(block)]
    if (prose === null || source === null) continue
    const path = join(folder, prose.path)
    const written = await readDocument(path)
    if (written === null) {
      wrong.push(`${file}:${block.from + 1}: ${block.name}: there is no ${path}, from which its texts came`)
      continue
    }
    const parsed = parseProse(written, path)
    if (parsed.sha256 !== prose.sha256)
      wrong.push(`${file}:${block.from + 1}: ${block.name}: older than its text ${path}`)
    wrong.push(...listUntrue(await readResult(join(folder, source.path)), parsed))
  }
  return wrong
}

/** The file of the texts that a section of a document shows now. Null: they are those of the report. */
export async function findProseFile(text: string, file: string, name: string): Promise<string | null> {
  const sources = parseDocument(text, file).blocks.map((block) =>
    block.name.startsWith(`${name}/`) ? parseProseSource(block) : null,
  )
  const source = sources.find((one) => one !== null)
  return source ? join(dirname(await resolveDocumentPath(file)), source.path) : null
}
