import zlib from 'node:zlib'
import { maxMessageBytes } from './frame.ts'
import { unpackSnappy } from './snappy.ts'
import { MalformedMessage } from './wire-error.ts'

const headerBytes = 16
/** Behind the header: the operation code, the length of what it becomes, the compressor. */
const prefixBytes = 9

type Decompress = (packed: Buffer, length: number) => Buffer

/** Node has it since 22.15. */
const zstd = (zlib as { readonly zstdDecompressSync?: (packed: Buffer, options: object) => Buffer }).zstdDecompressSync

const zstdId = 3
const noZstd = 'messages compressed with zstd, which Node.js reads from 22.15 on'

const compressors: readonly (readonly [name: string, id: number, decompress: Decompress])[] = [
  ['noop', 0, (packed) => packed],
  ['snappy', 1, unpackSnappy],
  ['zlib', 2, (packed, length) => zlib.inflateSync(packed, { maxOutputLength: length })],
  ...(zstd === undefined
    ? []
    : [['zstd', zstdId, (packed: Buffer, length: number) => zstd(packed, { maxOutputLength: length })] as const]),
]

/** Compressors that can be read here, as `hello` names them. */
export const knownCompressors: readonly string[] = compressors.map(([name]) => name)

/**
 * The message in an OP_COMPRESSED that lies between `start` and `end`, with a header of its own.
 * @throws {MalformedMessage} where it cannot be read.
 */
export function decompress(bytes: Buffer, start: number, end: number): Buffer {
  if (end - start < headerBytes + prefixBytes) throw new MalformedMessage('a compressed message without a beginning')
  const length = bytes.readInt32LE(start + headerBytes + 4)
  const id = bytes[start + headerBytes + 8]
  const known = compressors.find(([, one]) => one === id)
  if (known === undefined)
    throw new MalformedMessage(`a message of the compressor ${id}`, id === zstdId ? noZstd : undefined)
  if (length < 0 || length > maxMessageBytes) throw new MalformedMessage(`a compressed message of ${length} bytes`)
  const header = Buffer.from(bytes.subarray(start, start + headerBytes))
  header.writeInt32LE(headerBytes + length, 0)
  bytes.copy(header, 12, start + headerBytes, start + headerBytes + 4)
  return Buffer.concat([header, unpack(known[2], bytes.subarray(start + headerBytes + prefixBytes, end), length)])
}

function unpack(one: Decompress, packed: Buffer, length: number): Buffer {
  try {
    return one(packed, length)
  } catch {
    throw new MalformedMessage('a compressed message that cannot be decompressed')
  }
}
