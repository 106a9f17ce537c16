import { unwritableCode } from '../../results/results-file.ts'
import { writeFile } from 'node:fs/promises'
import { codeOf, Problem } from '../../errors.ts'

/** The problem of a file that is not to be overwritten. */
export const existsAlready = (file: string): Problem =>
  new Problem('usage', `${file} exists already`, { hint: 'Name another file, or add --force to overwrite it.' })

/** Writes a spec; overwrites an existing file only with `force`. */
export async function writeNewSpec(file: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST') throw existsAlready(file)
    throw new Problem(unwritableCode(code), `${file} cannot be written (${code})`, {
      hint: 'Name a file in an existing folder.',
      cause: error,
    })
  }
}
