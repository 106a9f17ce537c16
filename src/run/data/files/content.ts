import { createReadStream } from 'node:fs'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** The bytes of a file in pieces, decompressed where it is compressed. */
export type Content = {
  readonly chunks: AsyncIterable<Buffer>
  /** How much of the file has been read, 0 to 1. */
  readonly fraction: () => number
}

const chunkBytes = 256 * 1024

/**
 * Opens a file.
 * @param bytes Size of the file.
 */
export function openContent(path: string, bytes: number, isGzip: boolean): Content {
  const file = createReadStream(path, { highWaterMark: chunkBytes })
  // An error of the file reaches the reader through the end of the pipeline.
  const chunks: Readable = isGzip ? pipeline(file, createGunzip({ chunkSize: chunkBytes }), () => {}) : file
  return { chunks, fraction: () => (bytes === 0 ? 1 : Math.min(1, file.bytesRead / bytes)) }
}
