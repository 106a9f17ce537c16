import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { readResult } from '../../results/files/results-file.ts'
import { type Result } from '../../results/schema.ts'
import { getFolder, readDocument } from './document-file.ts'
import { blocksIn, type Document, getLine, partsIn } from './parse-document.ts'
import { parseProse } from './prose-file.ts'
import { computeSourceHash, madeBlocks, parseProseSource, parseSource } from './sources.ts'
import { listUntrue } from './with-prose.ts'

/** The hash of a result file, from its path in a document. Null if it cannot be read. */
export async function hashOfResult(document: string, path: string): Promise<string | null> {
  try {
    return computeSourceHash(await readFile(resolve(await getFolder(document), path)))
  } catch {
    return null
  }
}

/**
 * Lists the faults of texts that writers keep in files: changed since, missing, or not true of the result. Each as
 * `file:line: what`.
 */
export async function checkProse(document: Document): Promise<readonly string[]> {
  const folder = await getFolder(document.file)
  const wrong: string[] = []
  for (const block of blocksIn(document)) {
    const [prose, source] = [parseProseSource(block), parseSource(block)]
    if (prose === null || source === null) continue
    const place = `${document.file}:${getLine(document, block)}: ${block.name}`
    const path = join(folder, prose.path)
    const written = await readDocument(path)
    if (written === null) {
      wrong.push(`${place}: there is no ${path}, from which its texts came`)
      continue
    }
    const parsed = parseProse(written, path)
    if (parsed.sha256 !== prose.sha256) wrong.push(`${place}: older than its text ${path}`)
    wrong.push(...listUntrue(await readResult(join(folder, source.path)), parsed))
  }
  return wrong
}

/** The file of the texts that a section of a document shows now. Null: they are those of the report. */
export async function findProseFile(document: Document, section: string): Promise<string | null> {
  const source = partsIn(document, section)
    .map(parseProseSource)
    .find((one) => one !== null)
  return source ? join(await getFolder(document.file), source.path) : null
}

/** Lists the sections of a document that show the work of a result under another name, as `file:line: what`: its spec may have been renamed. */
export async function listRenamed(document: Document, { spec }: Pick<Result, 'spec'>): Promise<readonly string[]> {
  const folder = await getFolder(document.file)
  const sections = new Map(madeBlocks(document).map((block) => [block.name.replace(/\/.*/, ''), block]))
  const remarks: string[] = []
  for (const [name, { line, source }] of sections)
    if (name !== spec.name && (await readWorkHash(resolve(folder, source.path))) === spec.hash)
      remarks.push(
        `${document.file}:${line}: the section "${name}" shows the same work as "${spec.name}": delete its blocks if the spec was renamed`,
      )
  return remarks
}

/** The hash of the work of a result. Undefined: the file cannot be read. */
async function readWorkHash(path: string): Promise<unknown> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as Partial<Result>).spec?.hash
  } catch {
    return undefined
  }
}
