import { type PlaceKey, Stream } from '../../core/random.ts'

/** Size of `gridfs_large.bin` in bytes. */
export const largeFileBytes = 52_428_800

/** Number of files in `gridfs_multi/`, which has 262.144 MB in total. */
export const binaryFiles = 50
/** Size of a file in `gridfs_multi/` in bytes. */
export const bytesPerBinaryFile = 5_242_880

/** Random bytes, which cannot be compressed. @param file Number of the file under that key. */
export function randomBytes(key: PlaceKey, file: number, bytes: number): Buffer {
  const stream = new Stream(key).at(file)
  const words = new Uint32Array(bytes / Uint32Array.BYTES_PER_ELEMENT)
  for (let i = 0; i < words.length; i++) words[i] = stream.uint32()
  return Buffer.from(words.buffer)
}
