import { lstat, readFile, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { replaceFile } from '../../core/files.ts'
import { unwritableCode } from '../../results/files/results-file.ts'

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
