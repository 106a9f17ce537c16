import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Document, serialize } from 'bson'

/**
 * Dumps as mongodump writes them. No mongodump made these files: they follow its published format of archives (mongo-tools,
 * common/archive/spec.md), with a checksum of its own, bit by bit.
 */
export type Dumped = {
  readonly db: string
  readonly collection: string
  readonly documents: readonly Document[]
  readonly metadata?: Document
}

const terminator = Buffer.from([0xff, 0xff, 0xff, 0xff])
const magic = Buffer.from([0x6d, 0xe2, 0x99, 0x81])

/** CRC-64 of ECMA-182, bit by bit. */
export function checksum(bytes: Uint8Array): bigint {
  let crc = 0xffffffffffffffffn
  for (const byte of bytes) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1n) === 1n ? (crc >> 1n) ^ 0xc96c5795d7870f42n : crc >> 1n
  }
  return BigInt.asIntN(64, crc ^ 0xffffffffffffffffn)
}

const withoutIndexes = {
  options: {},
  indexes: [{ v: { $numberInt: '2' }, key: { _id: { $numberInt: '1' } }, name: '_id_' }],
}

/** The documents as BSON, one behind the other. */
export const asBson = (documents: readonly Document[]): Buffer =>
  Buffer.concat(documents.map((document) => serialize(document)))

/** An archive (`mongodump --archive`) whose collections take turns, one segment of some documents after the other. */
export function makeArchive(collections: readonly Dumped[], { perSegment = 2, crc = checksum } = {}): Buffer {
  const prelude = [
    magic,
    serialize({ concurrent_collections: 4, version: '0.1', server_version: '6.0.5', tool_version: '100.9.4' }),
    ...collections.map(({ db, collection, documents, metadata = withoutIndexes }) =>
      serialize({
        db,
        collection,
        metadata: JSON.stringify(metadata),
        size: asBson(documents).length,
        type: 'collection',
      }),
    ),
    terminator,
  ]
  const header = ({ db, collection }: Dumped, EOF: boolean, CRC: bigint): Buffer =>
    Buffer.from(serialize({ db, collection, EOF, CRC }))
  const segments: Buffer[] = []
  const rounds = Math.max(...collections.map(({ documents }) => Math.ceil(documents.length / perSegment))) + 1
  for (let round = 0; round < rounds; round++)
    for (const one of collections) {
      const from = round * perSegment
      const documents = one.documents.slice(from, from + perSegment)
      if (documents.length > 0) segments.push(header(one, false, 0n), asBson(documents), terminator)
      const isLast = from < Math.max(1, one.documents.length) && from + perSegment >= one.documents.length
      if (isLast) segments.push(header(one, true, crc(asBson(one.documents))), terminator)
    }
  return Buffer.concat([...prelude, ...segments])
}

/** A folder (`mongodump`, with `--gzip`): a folder for each database, and two files for each collection. */
export async function writeDump(folder: string, collections: readonly Dumped[], isGzip = false): Promise<void> {
  const pack = (bytes: Buffer): Buffer => (isGzip ? gzipSync(bytes) : bytes)
  const ending = isGzip ? '.gz' : ''
  for (const { db, collection, documents, metadata = withoutIndexes } of collections) {
    const base = path.join(folder, db, collection)
    await mkdir(path.dirname(base), { recursive: true })
    await writeFile(`${base}.bson${ending}`, pack(asBson(documents)))
    await writeFile(`${base}.metadata.json${ending}`, pack(Buffer.from(JSON.stringify(metadata))))
  }
}
