import { lstat, readFile, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Problem, describeErrorCode } from '../../core/errors.ts'
import { replaceFile } from '../../core/files.ts'
import { readResult, unwritableCode } from '../../results/files/results-file.ts'
import type { Result } from '../../results/schema.ts'
import { type Document, blocksIn, getLine, partsIn } from './parse-document.ts'
import { listUntrue, parseProse } from './prose-file.ts'
import { computeSourceHash, madeBlocks, parseProseSource, parseSource } from './sources.ts'

/** The text of a document, or null when there is no such file. */
export async function readDocument(file: string): Promise<string | null> {
  try {
    // Invalid UTF-8 could not be written back unchanged.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file))
  } catch (error) {
    const code = describeErrorCode(error)
    if (code === 'ENOENT') return null
    const reason = error instanceof TypeError ? 'is not written in UTF-8' : `cannot be read (${code})`
    throw new Problem('document-invalid', `${file} ${reason}`, { hint: 'Name a Markdown file.', cause: error })
  }
}

/** The file of a document, with symbolic links resolved. */
export async function resolveDocumentPath(file: string): Promise<string> {
  const isLink = await lstat(file).then(
    (status) => status.isSymbolicLink(),
    () => false,
  )
  return isLink ? realpath(file).catch(() => file) : file
}

/** The folder to which paths in a document are relative. */
export const getFolder = async (file: string): Promise<string> => dirname(await resolveDocumentPath(file))

export async function writeDocument(file: string, text: string): Promise<void> {
  try {
    await replaceFile(await resolveDocumentPath(file), text)
  } catch (error) {
    throw new Problem(
      unwritableCode(describeErrorCode(error)),
      `${file} cannot be written (${describeErrorCode(error)})`,
      {
        hint: 'Check the permissions, or name another file.',
        cause: error,
      },
    )
  }
}

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
