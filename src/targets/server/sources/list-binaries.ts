import { readdir } from 'node:fs/promises'
import path from 'node:path'

/** Files named "mongod-…-<version>" in a folder, newest version first. A folder that is not there has none. */
export async function listBinaries(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => /^mongod-.*\d+\.\d+\.\d+(\.exe)?$/.test(name))
    .toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => path.join(folder, name))
}
