import { fsync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'

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
