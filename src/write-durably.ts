import { open } from 'node:fs/promises'

/**
 * Writes a file that is on the disk, not only on its way there, when this resolves.
 * @param flag "wx" makes a new file: it fails where anything of that name exists, and follows no symbolic link.
 */
export async function writeDurably(path: string, text: string, flag: 'w' | 'wx' = 'w'): Promise<void> {
  const file = await open(path, flag)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
