import { open, stat } from 'node:fs/promises'

export async function bytesOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  return sizes.reduce((total, size) => total + size, 0)
}

/** Writes a file that is on the disk, not only on its way there, when this resolves. */
export async function writeThrough(path: string, text: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
