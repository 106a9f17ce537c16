import { lstat, mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { unwritable } from './results-file.ts'

/**
 * Moves an existing result out of the way of a new one: to `previous/<time of its start>/`, where globs such as
 * `results/<any>/result.json` do not find it and `report` makes its report again. One rename: after a crash it is in one place or the other.
 * @returns Where it is now. Null when there was none, or one without a measured row.
 */
export async function keepPrevious(resultFile: string): Promise<string | null> {
  const found = await lstat(resultFile).catch(() => null)
  // A new result takes the place of the link, and the file that it leads to stays.
  if (found?.isSymbolicLink()) return realpath(resultFile).catch(() => null)
  if (!found?.isFile()) return null
  const { startedAt, isEmpty } = await lookAt(resultFile)
  if (isEmpty) return null
  const folder = join(dirname(resultFile), 'previous')
  try {
    const place = join(await newFolder(folder, startedAt ?? found.mtime.toISOString()), 'result.json')
    await rename(resultFile, place)
    return place
  } catch (error) {
    throw unwritable(folder, error)
  }
}

/** Of a result of any version, of `run` or of `micro`. */
const outline = z.object({
  startedAt: z.string(),
  variants: z.array(z.object({ phases: z.array(z.unknown()) })).optional(),
  tasks: z.array(z.unknown()).optional(),
})

/** What cannot be read may still be worth keeping. */
async function lookAt(file: string): Promise<{ readonly startedAt?: string; readonly isEmpty: boolean }> {
  try {
    const { startedAt, variants, tasks } = outline.parse(JSON.parse(await readFile(file, 'utf8')))
    const measured = variants?.filter(({ phases }) => phases.length > 0) ?? tasks
    return { startedAt, isEmpty: measured?.length === 0 }
  } catch {
    return { isEmpty: false }
  }
}

/** Git leaves these folders alone, so that results that are committed gain no files beside them. */
async function newFolder(parent: string, startedAt: string): Promise<string> {
  await mkdir(parent, { recursive: true })
  await unlessItExists(writeFile(join(parent, '.gitignore'), '*\n', { flag: 'wx' }))
  const name = join(parent, startedAt.replaceAll(/[^\dTZ]/g, '-'))
  for (let number = 1; ; number++) {
    const folder = number === 1 ? name : `${name}-${number}`
    if (await unlessItExists(mkdir(folder))) return folder
  }
}

async function unlessItExists(made: Promise<unknown>): Promise<boolean> {
  try {
    await made
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
