import { statSync } from 'node:fs'
import { lstat, mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type VariantResult } from '../schema.ts'
import { prepareOutput, unwritable, writeResult } from './results-file.ts'

/** A file that a result is written to while it grows. An earlier result stays there until something new was measured. */
export type ResultFile = {
  /** Makes sure that the file can be written. */
  readonly prepare: () => Promise<void>
  /** @param hasMetrics Whether the run has measured something, so that an earlier result makes way. */
  readonly save: (content: { readonly format: string }, hasMetrics: boolean) => Promise<void>
  /** Whether the run has written it. False: an earlier result is still there. */
  readonly isWritten: () => boolean
}

type Options = {
  /** Whether the run goes on with the earlier result, which is then part of the new one. Default false. */
  readonly resumes?: boolean
  /** Called with the new place of an earlier result. */
  readonly onPrevious?: (place: string) => void
}

export function createResultFile(path: string, { resumes = false, onPrevious }: Options = {}): ResultFile {
  let isWritten = false
  return {
    async prepare() {
      await prepareOutput(dirname(path))
      // Tried now: an hour later it would cost what was measured.
      if (!resumes && (await containsMetrics(path))) await prepareOutput(previousFolder(path))
    },
    isWritten: () => isWritten,
    async save(content, hasMetrics) {
      if (!isWritten) {
        if (!hasMetrics && (await containsMetrics(path))) return
        const previous = resumes ? null : await keepPrevious(path)
        isWritten = true
        if (previous !== null) onPrevious?.(previous)
      }
      await writeResult(path, content)
    },
  }
}

/** Whether a row has figures, if only those of an interrupted phase. */
export const isMeasured = ({ status, phases }: VariantResult): boolean =>
  status === 'done' ||
  phases.some(({ operations }) => operations.some(({ ok, failed, unknown }) => ok + failed + unknown > 0))

/**
 * Moves an existing result to `previous/<start time>/` before a new one is written. Globs such as `results/<any>/result.json`
 * do not find it there, and `report` can still make its report. The move is one atomic rename.
 * @returns Its new path. Null if there was no result, or one without a measured row.
 */
export async function keepPrevious(resultFile: string): Promise<string | null> {
  const found = await lstat(resultFile).catch(() => null)
  // A new result replaces the link, and the file behind it stays.
  if (found?.isSymbolicLink()) return realpath(resultFile).catch(() => null)
  if (!found?.isFile()) return null
  const { startedAt, isEmpty } = await readOutline(resultFile)
  if (isEmpty) return null
  const folder = previousFolder(resultFile)
  try {
    const place = join(await newFolder(folder, startedAt ?? found.mtime.toISOString()), 'result.json')
    await rename(resultFile, place)
    return place
  } catch (error) {
    throw unwritable(folder, error)
  }
}

const previousFolder = (resultFile: string): string => join(dirname(resultFile), 'previous')

/** Whether there is a result in which something was measured. */
const containsMetrics = async (resultFile: string): Promise<boolean> =>
  (statSync(resultFile, { throwIfNoEntry: false })?.isFile() ?? false) && !(await readOutline(resultFile)).isEmpty

/** The fields that results of every version of `run` and `micro` have. */
const outline = z.object({
  startedAt: z.string(),
  variants: z.array(z.object({ phases: z.array(z.unknown()) })).optional(),
  tasks: z.array(z.unknown()).optional(),
})

/** A file that cannot be read does not count as empty: it may be worth keeping. */
async function readOutline(file: string): Promise<{ readonly startedAt?: string; readonly isEmpty: boolean }> {
  try {
    const { startedAt, variants, tasks } = outline.parse(JSON.parse(await readFile(file, 'utf8')))
    const measured = variants?.filter(({ phases }) => phases.length > 0) ?? tasks
    return { startedAt, isEmpty: measured?.length === 0 }
  } catch {
    return { isEmpty: false }
  }
}

/** Git ignores these folders, so that they do not appear beside committed results. */
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
