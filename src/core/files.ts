import { existsSync, mkdirSync, statSync, fsync, rmSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from './errors.ts'

/**
 * Creates a folder and its parents. Node's own `recursive` never returns where nothing can be created, as in /proc.
 * @returns The outermost folder that was created. Undefined where all existed.
 */
export function makeFolder(folder: string): string | undefined {
  const whole = resolve(folder)
  if (isFolder(whole)) return undefined
  const parent = dirname(whole)
  // Of a file in the place of a parent, the system says ENOTDIR; newer versions of Node find nothing there.
  const outermost = existsSync(parent) ? undefined : makeFolder(parent)
  try {
    mkdirSync(whole)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(whole)) throw error
  }
  return outermost ?? whole
}

const isFolder = (place: string): boolean => statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Refuses a pipe or a device in the place of a file: reading it may never end. Options take them. */
export function refuseEndless(path: string): void {
  if (!existsSync(path) || statSync(path).isFile() || statSync(path).isDirectory()) return
  throw new Problem('usage', `${path} is a pipe or a device`, { hint: 'Write what it gives to a file, and name that.' })
}

const sync = promisify(fsync)

/** Writes what the system holds of a file, or of a folder, to the disk. By its number: the handles of Yarn PnP have no `sync`. */
export const syncHandle = ({ fd }: FileHandle): Promise<void> => sync(fd)

/**
 * Writes a file and syncs it to the disk.
 * @param flag "wx" creates a new file: it fails if anything of that name exists, and follows no symbolic link.
 */
export async function writeDurably(path: string, content: string | Uint8Array, flag: 'w' | 'wx' = 'w'): Promise<void> {
  const file = await open(path, flag)
  try {
    await file.writeFile(content)
    await syncHandle(file)
  } finally {
    await file.close()
  }
}

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
