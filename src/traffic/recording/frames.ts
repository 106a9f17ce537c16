import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { crc32, createInflate, deflate } from 'node:zlib'
import { MalformedBson } from '../../protocol/bson/malformed.ts'

/** First bytes of a recording: one that no text begins with, the name, the version, and an end of line that copies as text change. */
export const magic = Buffer.from('\x89mprec\x01\r\n', 'latin1')

/** Contents of frames: the header and the end of the recording, the calls that it does not have so far, or calls. */
export const frameKinds = ['header', 'calls', 'leftOut', 'end'] as const

/** A kind of frame. */
export type FrameKind = (typeof frameKinds)[number]

/** The start of a frame, which says how it goes on. */
export type FrameStart = {
  readonly kind: FrameKind
  /** Bytes that follow. */
  readonly packedBytes: number
  /** Bytes of what was packed. */
  readonly rawBytes: number
  readonly crc: number
}

/** Kind, packed and raw length, CRC of what is packed, CRC of these 13 bytes: a wrong length is damage and no end of the file. */
export const frameStartBytes = 17

/** Frames are ended at this size, before compression. */
export const frameBytes = 256 * 1024

/** Maximum size before compression: the longest message of the protocol, and what is kept beside it. */
export const maxRawBytes = 50_000_000
/** All but calls is a few lines. */
const maxTextBytes = 64 * 1024

const pack = promisify<Buffer, { level: number }, Buffer>(deflate)

/** A frame, as it is written. Compresses in a thread of its own. */
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

/** @throws {MalformedBson} before anything of the lengths that it names would be allocated. */
export function readFrameStart(start: Buffer): FrameStart {
  const kind = frameKinds[start[0] as number]
  if (crc32(start.subarray(0, 13)) !== start.readUInt32LE(13) || kind === undefined)
    throw new MalformedBson('the start of a frame is damaged')
  const packedBytes = start.readUInt32LE(1)
  const rawBytes = start.readUInt32LE(5)
  const max = kind === 'calls' ? maxRawBytes : maxTextBytes
  // What cannot be compressed grows by some bytes, and nothing becomes less than a thousandth.
  if (rawBytes > max || packedBytes > rawBytes + rawBytes / 64 + 64 || rawBytes > packedBytes * 1100)
    throw new MalformedBson(`a frame of ${packedBytes} bytes, which become ${rawBytes}`)
  return { kind, packedBytes, rawBytes, crc: start.readUInt32LE(9) }
}

/**
 * Unpacks a frame piece by piece, so that a large one is in memory once, and in threads of zlib.
 * @param packed Reads its bytes from the first on; called twice, because nothing is unpacked before the checksum is right.
 * @param raw Takes them: as long as the frame says.
 * @throws {MalformedBson} when they are not what was packed.
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
