import { stat } from 'node:fs/promises'

/** Total size of files in bytes. */
export async function sumFileSizes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  return sizes.reduce((total, size) => total + size, 0)
}
