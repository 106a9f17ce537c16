import { readdir, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { shippedPath } from '../../core/package-root.ts'
import { suggestion } from '../../language/issues.ts'
import { readDocument } from '../../report/document/document-file.ts'
import { parseDocument, sectionNames } from '../../report/document/parse-document.ts'

/** The specs that ship, whether this runs built or from source. */
export const shippedFolder = shippedPath('specs') + sep

/** Names of all shipped specs, such as "performance-tables/insert-batch-size". */
export async function shippedNames(): Promise<readonly string[]> {
  return (await jsonFiles(shippedFolder)).map(shortName)
}

/** The name of a shipped spec; the path of any other. */
export const shortName = (file: string): string =>
  file.startsWith(shippedFolder)
    ? relative(shippedFolder, file)
        .replace(/\.json$/, '')
        .replaceAll('\\', '/')
    : file

/** The files of a spec: a path, the name of a shipped spec, or a folder of either kind. */
export async function findSpecs(given: string): Promise<readonly string[]> {
  const here = await getPathKind(given)
  if (here === 'file') return [given]
  const shipped = join(shippedFolder, given)
  if (resolve(`${shipped}.json`).startsWith(shippedFolder) && (await getPathKind(`${shipped}.json`)) === 'file')
    return [`${shipped}.json`]
  const folder = await resolveSpecFolder(given)
  const files = folder === undefined ? [] : await specsIn(folder)
  if (files.length > 0) return files
  if (here === 'folder')
    throw new Problem('spec-unreadable', `There is no spec in the folder ${given}`, {
      hint: 'Specs are files that end in ".json".',
    })
  const names = await shippedNames()
  throw new Problem('spec-unreadable', `There is no file and no shipped spec "${given}"${suggestion(given, names)}`, {
    hint: /^(?:=|[\d.]+$)/.test(given)
      ? 'Write --set name=value without spaces.'
      : `\`mongo-perf list\` lists the shipped specs${given.endsWith('.json') ? `; \`mongo-perf init ${given}\` writes a new one` : ''}.`,
  })
}

/** A folder, or a shipped one of that name. */
async function resolveSpecFolder(given: string): Promise<string | undefined> {
  if ((await getPathKind(given)) === 'folder') return given
  const shipped = join(shippedFolder, given)
  return resolve(shipped).startsWith(shippedFolder) && (await getPathKind(shipped)) === 'folder' ? shipped : undefined
}

/** The template for a new document of a folder's specs: its prose, and the order of the specs. */
const documentName = 'document.md'

/** The path of the template in one of these folders. */
export async function findDocumentTemplate(given: readonly string[]): Promise<string | undefined> {
  const folders = await Promise.all(given.map(resolveSpecFolder))
  const documents = folders.flatMap((folder) => (folder === undefined ? [] : [join(folder, documentName)]))
  const kinds = await Promise.all(documents.map(getPathKind))
  return documents.find((_, index) => kinds[index] === 'file')
}

/** The specs of a folder in the order of its document, then the others by name. */
async function specsIn(folder: string): Promise<readonly string[]> {
  const document = join(folder, documentName)
  const order = sectionNames(parseDocument((await readDocument(document)) ?? '', document))
  const rank = (file: string): number => {
    const place = order.indexOf(relative(folder, file).replace(/\.json$/, ''))
    return place < 0 ? order.length : place
  }
  return (await jsonFiles(folder)).toSorted((one, other) => rank(one) - rank(other))
}

async function getPathKind(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? 'folder' : found?.isFile() ? 'file' : undefined
}

/** Files, and links to files. */
async function jsonFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true })
  const paths = entries.filter((entry) => entry.endsWith('.json')).map((entry) => join(folder, entry))
  const kinds = await Promise.all(paths.map(getPathKind))
  return paths.filter((_, index) => kinds[index] === 'file').toSorted()
}
