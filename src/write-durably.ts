import { open } from 'node:fs/promises'

/**
 * Writes a file and syncs it to the disk.
 * @param flag "wx" creates a new file: it fails if anything of that name exists, and follows no symbolic link.
 */
export async function writeDurably(path: string, content: string | Uint8Array, flag: 'w' | 'wx' = 'w'): Promise<void> {
  const file = await open(path, flag)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}
