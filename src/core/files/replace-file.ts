import { rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncHandle, writeDurably } from './write-durably.ts'

/** Files that are being written. */
const inProgress = new Set<string>()

/** Removes what is only half written, for a process that ends at once. */
export function removeUnfinished(): void {
  for (const file of inProgress) rmSync(file, { force: true })
}

/**
 * Replaces a file atomically: writes a new file beside it, syncs it and renames it. After a crash the old or the new file is
 * complete. Symbolic links are replaced, not followed. One writer per path at a time.
 * @param moveFile For tests, which read both files between the two steps.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  moveFile: typeof rename = rename,
): Promise<void> {
  const unfinished = `${path}.tmp`
  inProgress.add(unfinished)
  try {
    await rm(unfinished, { force: true })
    await writeDurably(unfinished, content, 'wx')
    await moveFile(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  } finally {
    inProgress.delete(unfinished)
  }
  await syncFolder(dirname(path))
}

/** Makes the rename survive a power failure. Not every system can sync a folder (Windows); the file is complete without it. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    await syncHandle(handle).finally(() => handle.close())
  } catch {
    return
  }
}
