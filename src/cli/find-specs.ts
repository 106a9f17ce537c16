import { readdir, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from '../errors.ts'
import { suggestion } from '../language/issues.ts'

/** The specs that ship, whether this runs built or from source. */
export const shippedFolder = fileURLToPath(new URL('../../fixtures/specs/', import.meta.url))

/** Names of all shipped specs, such as "performance-tables/insert-batch-size". */
export async function shippedNames(): Promise<readonly string[]> {
  return (await jsonFiles(shippedFolder)).map((file) =>
    relative(shippedFolder, file)
      .replace(/\.json$/, '')
      .replaceAll('\\', '/'),
  )
}

/** A spec is a path, the name of a shipped one, or a folder of either kind. */
export async function findSpecs(given: string): Promise<readonly string[]> {
  const here = await kindOf(given)
  if (here === 'file') return [given]
  const shipped = join(shippedFolder, given)
  if (resolve(`${shipped}.json`).startsWith(shippedFolder) && (await kindOf(`${shipped}.json`)) === 'file')
    return [`${shipped}.json`]
  const folder =
    here === 'folder'
      ? given
      : resolve(shipped).startsWith(shippedFolder) && (await kindOf(shipped)) === 'folder'
        ? shipped
        : undefined
  const files = folder === undefined ? [] : await jsonFiles(folder)
  if (files.length > 0) return files
  if (here === 'folder')
    throw new Problem('spec-unreadable', `There is no spec in the folder ${given}`, {
      hint: 'Specs are files that end in ".json".',
    })
  const names = await shippedNames()
  throw new Problem('spec-unreadable', `There is no file and no shipped spec "${given}"${suggestion(given, names)}`, {
    hint: '`mongo-perf list` names the specs that ship.',
  })
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? 'folder' : found?.isFile() ? 'file' : undefined
}

async function jsonFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
