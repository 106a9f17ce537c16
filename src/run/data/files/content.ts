import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** The bytes of a file in pieces, decompressed where it is compressed. */
export type Content = {
  readonly chunks: AsyncIterable<Buffer>
  /** How much of the file has been read, 0 to 1. */
  readonly fraction: () => number
}

const chunkBytes = 256 * 1024

/** Bound of a decompressed file, if that is more than a gigabyte: this many times its size. Repeated documents reach a hundred times. */
const maxRatio = 200

/**
 * Opens a file.
 * @param bytes Size of the file.
 * @param freeBytes For tests, which unpack less.
 */
export function openContent(path: string, bytes: number, isGzip: boolean, freeBytes = 1024 ** 3): Content {
  const file = createReadStream(path, { highWaterMark: chunkBytes })
  // An error of the file reaches the reader through the end of the pipeline.
  const chunks = isGzip
    ? bounded(
        pipeline(file, createGunzip({ chunkSize: chunkBytes }), () => {}),
        bytes,
        Math.max(freeBytes, maxRatio * bytes),
      )
    : file
  return { chunks, fraction: () => (bytes === 0 ? 1 : Math.min(1, file.bytesRead / bytes)) }
}

async function* bounded(unpacked: AsyncIterable<Buffer>, bytes: number, max: number): AsyncGenerator<Buffer, void> {
  let total = 0
  for await (const chunk of unpacked) {
    total += chunk.length
    if (total > max) throw new Error(`it unpacks to more than ${Math.round(max / 1e6)} MB; unpack it first (gunzip)`)
    yield chunk
  }
}
