import { open } from 'node:fs/promises'

/** Writes a file that is on the disk, not only on its way there, when this resolves. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
