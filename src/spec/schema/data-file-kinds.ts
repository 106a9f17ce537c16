import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { constants, gunzipSync } from 'node:zlib'

/** The kinds of files that documents are loaded from, as messages name them. */
export const dataFileKinds = {
  lines: 'JSON lines',
  json: 'a JSON array',
  csv: 'a CSV file',
  bson: 'a BSON file',
  archive: 'an archive of mongodump',
} as const

/** A kind of file that documents are loaded from. */
export type DataFileKind = keyof typeof dataFileKinds

/** The types of the columns of a CSV file. */
export const columnTypes = [
  'auto',
  'string',
  'int',
  'long',
  'double',
  'decimal',
  'boolean',
  'date',
  'objectId',
  'uuid',
  'skip',
] as const

export type ColumnType = (typeof columnTypes)[number]

/** Kinds of files that may have each ending. */
const endings: readonly (readonly [RegExp, readonly DataFileKind[]])[] = [
  [/\.(ndjson|jsonl)$/i, ['lines']],
  [/\.json$/i, ['lines', 'json']],
  [/\.[ct]sv$/i, ['csv']],
  [/\.bson$/i, ['bson']],
  [/\.archive$/i, ['archive']],
]

/** Kinds of files that no documents are loaded from, by their first bytes in hexadecimal, and how they become one that is. */
const foreignKinds: readonly (readonly [RegExp, string])[] = [
  [/^50415231/, 'is a Parquet file; write it as CSV or JSON lines first'],
  [/^504b0304/, 'is a ZIP file, or a workbook of Excel; unpack it, or save the sheet as CSV'],
  [/^53514c697465/, 'is a database of SQLite; write its table as CSV first'],
  [/^(28b52ffd|425a68|fd377a58)/, 'is compressed, not with gzip; unpack it first'],
  [/^(fffe|feff)/, 'is UTF-16; write it as UTF-8 first (iconv -f UTF-16 -t UTF-8)'],
]

/** The kind of a file by its first bytes. Undefined: nothing says so. */
export type Identified = {
  readonly kind: DataFileKind | undefined
  readonly isGzip: boolean
  /** Why it is none that is read, or not what its name says. */
  readonly reason?: string | undefined
}

const maxDocument = 16 * 1024 * 1024
const gzipMagic = 0x8b1f

/** Says by its first bytes what a file of documents is. */
export function identifyFile(path: string): Identified {
  const raw = readStart(path, 65_536)
  const isGzip = raw.length >= 2 && raw.readUInt16LE(0) === gzipMagic
  const start = isGzip ? unpackStart(raw) : raw
  const foreign = foreignKinds.find(([magic]) => magic.test(start.toString('hex', 0, 8)))
  if (foreign) return { kind: undefined, isGzip, reason: foreign[1] }
  const name = path.replace(/\.gz$/i, '')
  const byName = endings.find(([ending]) => ending.test(name))?.[1] ?? []
  const [first] = byName
  const kind = identify(start, byName) ?? first
  if (kind === undefined || first === undefined || byName.includes(kind)) return { kind, isGzip }
  return { kind, isGzip, reason: `is ${dataFileKinds[kind]}, not ${dataFileKinds[first]}; name it ${nameFor(kind)}` }
}

const nameFor = (kind: DataFileKind): string => (kind === 'lines' ? '.ndjson' : `.${kind}`)

function identify(start: Buffer, byName: readonly DataFileKind[]): DataFileKind | undefined {
  if (start.length >= 4 && start.readUInt32LE(0) === archiveMagic) return 'archive'
  if (isBson(start)) return 'bson'
  const text = start
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
  const kind = textKinds.find(([beginning]) => beginning.test(text))?.[1]
  return kind ?? (byName.includes('csv') ? 'csv' : undefined)
}

const textKinds: readonly (readonly [RegExp, DataFileKind])[] = [
  // Documents over several lines are read as those of a list are.
  [/^(\[|\{\s*\n)/, 'json'],
  [/^\{/, 'lines'],
  [/^[^\0\n]*[,;\t]/, 'csv'],
]

/** The number that every archive of mongodump begins with. */
export const archiveMagic = 0x8199e26d

/** No line of JSON begins with such a length. */
const isBson = (bytes: Buffer): boolean =>
  bytes.length >= 5 && bytes.readInt32LE(0) >= 5 && bytes.readInt32LE(0) <= maxDocument && (bytes[4] ?? 0) < 0x20

/** The first bytes of a file. Empty if it cannot be read. */
export function readStart(path: string, length: number): Buffer {
  try {
    // What is read of a pipe is gone.
    if (!statSync(path).isFile()) return Buffer.alloc(0)
    const bytes = Buffer.alloc(length)
    const file = openSync(path, 'r')
    const read = readSync(file, bytes, 0, length, 0)
    closeSync(file)
    return bytes.subarray(0, read)
  } catch {
    return Buffer.alloc(0)
  }
}

/** Bytes that the start of a file may become. */
const maxStart = 128 * 1024 * 1024

/** Decompresses as much as is there. What would become too much stays as it is, and is no kind of data. */
export function unpackStart(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxStart })
  } catch {
    return bytes
  }
}
