import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { didYouMean, nearest } from '../../core/nearest.ts'
import { type DataFileKind, dataFileKinds, identifyFile } from './data-file-kinds.ts'
import { chooseDumped, listFolder, readPrelude } from './dump.ts'
import { type Namespace } from './namespace.ts'

/** A file of data, or the reason why it cannot be read. */
export type DataFile = FoundFile | { readonly reason: string }

export type FoundFile = {
  readonly path: string
  readonly bytes: number
  readonly kind: DataFileKind
  readonly isGzip: boolean
  /** The collection of a dump that is read. */
  readonly namespace?: Namespace | undefined
  readonly reason?: undefined
}

/** A data set, as far as it says how its file is read. */
export type FileNamed = {
  readonly file?: string | undefined
  readonly collection: string
  readonly namespace?: string | undefined
  readonly columns?: Readonly<Record<string, string>> | undefined
}

/**
 * Looks for the file of a data set.
 * @param folder The folder of the spec, to which paths are relative.
 */
export function findDataFile(named: FileNamed, folder: string): DataFile {
  const { file = '' } = named
  const path = resolve(folder, file)
  const refuse = (reason: string): DataFile => ({ reason: `"${file}" ${reason}` })
  try {
    const found = statSync(path)
    if (found.isDirectory()) return findInFolder(path, named, refuse)
    return found.isFile() ? describeFile(path, named, refuse) : refuse('is not a file')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return refuse(code === 'ENOENT' ? `does not exist${similar(file, path)}` : `cannot be read (${code})`)
  }
}

type Refuse = (reason: string) => DataFile

/** A folder that mongodump has written, of all databases or of one. */
function findInFolder(path: string, named: FileNamed, refuse: Refuse): DataFile {
  const dumped = listFolder(path)
  if (dumped.length === 0) return refuse('is a folder without files of mongodump (.bson)')
  const chosen = chooseDumped(dumped, named)
  return typeof chosen === 'string'
    ? refuse(chosen)
    : describeFile(chosen.path, { ...named, namespace: undefined }, refuse)
}

function describeFile(path: string, named: FileNamed, refuse: Refuse): DataFile {
  if (!statSync(path).isFile()) return refuse(`has "${basename(path)}", which is a pipe or a device`)
  const { kind: known, isGzip, reason = reasonAgainst(known, named) } = identifyFile(path)
  if (reason !== undefined) return refuse(reason)
  const found = { path, bytes: statSync(path).size, kind: known ?? 'lines', isGzip }
  if (known !== 'archive') return found
  const prelude = readPrelude(path, isGzip)
  const chosen = typeof prelude === 'string' ? prelude : chooseDumped(prelude, named)
  return typeof chosen === 'string' ? refuse(chosen) : { ...found, namespace: chosen }
}

/** Why a file is not of the kind that a data set reads. */
function reasonAgainst(kind: DataFileKind | undefined, { columns, namespace }: FileNamed): string | undefined {
  if (columns !== undefined && kind !== 'csv')
    return `is ${kind ? dataFileKinds[kind] : 'no CSV file'}, and "columns" gives the types of a CSV file`
  return namespace === undefined || kind === 'archive'
    ? undefined
    : `is ${dataFileKinds[kind ?? 'lines']}, and "namespace" names a collection of a dump`
}

function similar(file: string, path: string): string {
  try {
    return didYouMean(nearest(basename(path), readdirSync(dirname(path))))
  } catch {
    return `; there is no folder "${dirname(file)}"`
  }
}

/** Says what a file of documents is that is neither a spec nor lines of JSON. Undefined for others. */
export function foreignFile(path: string): string | undefined {
  const { kind, reason } = identifyFile(path)
  if (kind === undefined) return reason
  return kind === 'bson' || kind === 'archive' || (kind === 'csv' && /\.[ct]sv(\.gz)?$/i.test(path))
    ? `is ${dataFileKinds[kind]}`
    : undefined
}
