import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '../../../core/errors.ts'

/** Makes a folder of its own, whose name begins with the prefix. */
export async function makeTemporaryFolder(tempFolder: string, prefix: string): Promise<string> {
  try {
    return await mkdtemp(path.join(tempFolder, prefix))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Problem('no-server', `No folder for temporary files can be made in ${tempFolder} (${code})`, {
      hint: 'Set TMPDIR to a folder that exists and can be written.',
    })
  }
}
