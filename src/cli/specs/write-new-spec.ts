import { access, constants, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { unwritableCode } from '../../results/files/results-file.ts'
import { foreignFile } from '../../spec/parse/foreign-file.ts'

/** The problem of a file that is not to be overwritten. */
export function existsAlready(file: string): Problem {
  const foreign = foreignFile(file)
  return foreign === undefined
    ? new Problem('usage', `${file} exists already`, { hint: 'Name another file, or add --force to overwrite it.' })
    : new Problem('usage', `${file} ${foreign}`, {
        hint: '`init` writes a spec: name another file for it, and the file of lines as "file" in its "data".',
      })
}

/** Looks whether a spec can be written, before a server is asked for it. */
export async function requireWritable(file: string): Promise<void> {
  try {
    await access(dirname(file), constants.W_OK)
  } catch (error) {
    throw unwritable(file, error)
  }
}

const inOtherFolder = 'Name a file in an existing folder that you may write to.'

const unwritable = (file: string, cause: unknown): Problem =>
  new Problem(unwritableCode(describeErrorCode(cause)), `${file} cannot be written (${describeErrorCode(cause)})`, {
    hint: inOtherFolder,
    cause,
  })

/** Writes a spec; overwrites an existing file only with `force`. */
export async function writeNewSpec(file: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const code = describeErrorCode(error)
    if (code === 'EEXIST') throw existsAlready(file)
    throw unwritable(file, error)
  }
}
