import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { didYouMean, nearest } from '../../core/nearest.ts'
import { foreignFile } from '../parse/foreign-file.ts'

/** A file of data, or the reason why it cannot be read. */
export type DataFile =
  | { readonly path: string; readonly bytes: number; readonly reason?: undefined }
  | { readonly reason: string }

/**
 * Looks for a file of data.
 * @param folder The folder of the spec, to which paths are relative.
 */
export function findDataFile(file: string, folder: string): DataFile {
  const path = resolve(folder, file)
  try {
    const found = statSync(path)
    if (!found.isFile()) return { reason: `"${file}" is not a file` }
    const foreign = foreignFile(path)
    return foreign === undefined ? { path, bytes: found.size } : { reason: `"${file}" ${foreign}` }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return {
      reason: `"${file}" ${code === 'ENOENT' ? `does not exist${similar(file, path)}` : `cannot be read (${code})`}`,
    }
  }
}

function similar(file: string, path: string): string {
  try {
    return didYouMean(nearest(basename(path), readdirSync(dirname(path))))
  } catch {
    return `; there is no folder "${dirname(file)}"`
  }
}
