import zlib from 'node:zlib'
import { maxMessageBytes } from './frame.ts'
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

/**
 * Decompresses a block of Snappy, the format that servers and drivers send.
 * @param length Of what it becomes, in bytes.
 * @throws {MalformedMessage} where it is something else.
 */
export function unpackSnappy(packed: Buffer, length: number): Buffer {
  const out = Buffer.allocUnsafe(length)
  let [at, written] = [0, 0]
  const byte = (): number => packed[at++] ?? fail()

  /** A number of so many bytes. */
  function number(bytes: number): number {
    let value = 0
    for (let i = 0; i < bytes; i++) value += byte() * 2 ** (8 * i)
    return value
  }

  // The length itself, seven bits a byte.
  while (byte() >= 128);
  while (at < packed.length) {
    const tag = byte()
    const kind = tag & 3
    const short = tag >> 2
    if (kind === 0) {
      const bytes = (short < 60 ? short : number(short - 59)) + 1
      if (bytes > packed.length - at || bytes > length - written) fail()
      packed.copy(out, written, at, at + bytes)
      at += bytes
      written += bytes
    } else {
      const bytes = kind === 1 ? (short & 7) + 4 : short + 1
      const back = kind === 1 ? ((tag >> 5) << 8) | byte() : number(kind === 2 ? 2 : 4)
      if (back === 0 || back > written || bytes > length - written) fail()
      // Byte by byte: what is copied may be what is written here.
      for (let i = 0; i < bytes; i++, written++) out[written] = out[written - back] as number
    }
  }
  return written === length ? out : fail()
}

function fail(): never {
  throw new MalformedMessage('a compressed message that is not Snappy')
}
