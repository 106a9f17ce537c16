import { readdirSync, statSync, closeSync, openSync, readSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { didYouMean, nearest } from '../../core/nearest.ts'

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

const bytesRead = 4096
const maxDocument = 16 * 1024 * 1024
/** The bytes that every archive of mongodump begins with. */
const archive = Buffer.from([0x6d, 0xe2, 0x99, 0x81])
const asLines = 'one document of Extended JSON per line'

/** Says what a file of documents is that is neither a spec nor lines of JSON, and how it becomes such lines. Undefined for others. */
export function foreignFile(path: string): string | undefined {
  const bytes = readFileStart(path)
  if (bytes.subarray(0, 4).equals(archive))
    return `is an archive of mongodump; restore it with mongorestore, and make ${asLines} with mongoexport`
  if (isBson(bytes)) return `is a BSON file; make ${asLines} with bsondump`
  if (/\.[ct]sv(\.gz)?$/i.test(path) && !/^\s*\{/.test(bytes.toString('latin1')))
    return `is a CSV file; import it with mongoimport, and make ${asLines} with mongoexport`
  return undefined
}

/** No line of JSON begins with such a length. */
const isBson = (bytes: Buffer): boolean =>
  bytes.length >= 5 && bytes.readInt32LE(0) >= 5 && bytes.readInt32LE(0) <= maxDocument && (bytes[4] ?? 0) < 0x20

/** Decompressed where it can be. Empty if the file cannot be read. */
function readFileStart(path: string): Buffer {
  const bytes = Buffer.alloc(bytesRead)
  try {
    // What is read of a pipe is gone.
    if (!statSync(path).isFile()) return Buffer.alloc(0)
    const file = openSync(path, 'r')
    const length = readSync(file, bytes, 0, bytesRead, 0)
    closeSync(file)
    const begin = bytes.subarray(0, length)
    return path.endsWith('.gz') ? gunzipSync(begin, { finishFlush: constants.Z_SYNC_FLUSH }) : begin
  } catch {
    return Buffer.alloc(0)
  }
}
