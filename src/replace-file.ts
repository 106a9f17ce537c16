import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeDurably } from './write-durably.ts'

/**
 * Replaces a file at once or not at all: written beside it, synced, renamed. After a crash the old one or the new one is
 * there, whole. Symbolic links are replaced, not followed. One writer per path at a time.
 * @param moveFile For tests, which look at both files between the two steps.
 */
export async function replaceFile(path: string, text: string, moveFile: typeof rename = rename): Promise<void> {
  const unfinished = `${path}.tmp`
  try {
    await rm(unfinished, { force: true })
    await writeDurably(unfinished, text, 'wx')
    await moveFile(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Makes the rename last through a power failure. Not every system can sync a folder (Windows), and the file is complete without it. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  } catch {
    return
  }
}
