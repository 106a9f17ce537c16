import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32, createInflate, deflate } from 'node:zlib'
import { MalformedBson } from '../../protocol/bson/types.ts'

/** First bytes of a recording: a byte that no text begins with, the name, the version, and a line ending that copying as text would change. */
export const magic = Buffer.from('\x89mprec\x01\r\n', 'latin1')

/** Contents of frames: the header or the end of the recording, the counts of calls left out so far, or calls. */
export const frameKinds = ['header', 'calls', 'leftOut', 'end'] as const

export type FrameKind = (typeof frameKinds)[number]

export type FrameStart = {
  readonly kind: FrameKind
  /** Size of the compressed bytes that follow. */
  readonly packedBytes: number
  /** Size before compression, in bytes. */
  readonly rawBytes: number
  readonly crc: number
}

/** Kind, packed and raw length, CRC of the packed bytes, CRC of these 13 bytes: a damaged length is not taken for the end of the file. */
export const frameStartBytes = 17

/** Size at which a frame is complete, before compression. */
export const frameBytes = 256 * 1024

/** Maximum size before compression: the longest message of the protocol, and the numbers of its call. */
export const maxRawBytes = 50_000_000
/** Maximum size of frames other than calls: they are a few lines. */
const maxTextBytes = 64 * 1024

const pack = promisify<Buffer, { level: number }, Buffer>(deflate)

/** Packs a frame for the file. Compression runs in a thread of zlib. */
export async function packFrame(kind: FrameKind, raw: Buffer): Promise<Buffer> {
  const packed = await pack(raw, { level: 6 })
  const start = Buffer.alloc(frameStartBytes)
  start[0] = frameKinds.indexOf(kind)
  start.writeUInt32LE(packed.length, 1)
  start.writeUInt32LE(raw.length, 5)
  start.writeUInt32LE(crc32(packed), 9)
  start.writeUInt32LE(crc32(start.subarray(0, 13)), 13)
  return Buffer.concat([start, packed])
}

/** Reads the start of a frame. @throws {MalformedBson} where its lengths are impossible, before anything is allocated. */
export function readFrameStart(start: Buffer): FrameStart {
  const kind = frameKinds[start[0] as number]
  if (crc32(start.subarray(0, 13)) !== start.readUInt32LE(13) || kind === undefined)
    throw new MalformedBson('the start of a frame is damaged')
  const packedBytes = start.readUInt32LE(1)
  const rawBytes = start.readUInt32LE(5)
  const max = kind === 'calls' ? maxRawBytes : maxTextBytes
  // Incompressible bytes grow a little, and deflate never packs to less than a thousandth.
  if (rawBytes > max || packedBytes > rawBytes + rawBytes / 64 + 64 || rawBytes > packedBytes * 1100)
    throw new MalformedBson(`a frame of ${packedBytes} bytes, which become ${rawBytes}`)
  return { kind, packedBytes, rawBytes, crc: start.readUInt32LE(9) }
}

/**
 * Unpacks a frame piece by piece, so that a large one is in memory only once, in threads of zlib.
 * @param packed Reads its bytes from the start. Called twice: the checksum is verified before anything is unpacked.
 * @param raw Receives the unpacked bytes: as long as the frame says.
 * @throws {MalformedBson} when the bytes are not those that were packed.
 */
export async function unpackFrame(
  { rawBytes, crc }: FrameStart,
  packed: () => AsyncIterable<Buffer>,
  raw: Buffer,
): Promise<void> {
  let found = 0
  for await (const piece of packed()) found = crc32(piece, found)
  if (crc !== found) throw new MalformedBson('the checksum of a frame is wrong')
  let at = 0
  try {
    await pipeline(packed, createInflate({ chunkSize: frameBytes }), async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) {
        if (at + piece.length > rawBytes) throw new MalformedBson(`a frame of more than ${rawBytes} bytes`)
        at += piece.copy(raw, at)
      }
    })
  } catch (error) {
    throw new MalformedBson(error instanceof Error ? error.message : String(error))
  }
  if (at !== rawBytes) throw new MalformedBson(`a frame of ${at} bytes, not ${rawBytes}`)
}
