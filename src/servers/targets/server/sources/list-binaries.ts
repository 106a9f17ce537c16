import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { type SoughtProgram } from '../check-binary.ts'

/** Files named "<program>-…-<version>" in a folder, newest version first. A folder that is not there has none. */
export async function listBinaries(folder: string, program: SoughtProgram = 'mongod'): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .flatMap((name) => {
      const version = name.startsWith(`${program}-`) ? /(\d+\.\d+\.\d+(?:-\w+)?)(?:\.exe)?$/.exec(name)?.[1] : undefined
      return version === undefined ? [] : [{ name, version }]
    })
    .toSorted((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }))
    .map(({ name }) => path.join(folder, name))
}
