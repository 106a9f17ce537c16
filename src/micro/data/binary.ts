import { type PlaceKey, Stream } from '../../random.ts'

/** `gridfs_large.bin` */
export const largeFileBytes = 52_428_800

/** `gridfs_multi/`: 262.144 MB in all. */
export const binaryFiles = 50
export const bytesPerBinaryFile = 5_242_880

/** Random bytes, which no compression makes smaller. @param file Number of the file under that key. */
export function randomBytes(key: PlaceKey, file: number, bytes: number): Buffer {
  const stream = new Stream(key).at(file)
  const words = new Uint32Array(bytes / Uint32Array.BYTES_PER_ELEMENT)
  for (let i = 0; i < words.length; i++) words[i] = stream.uint32()
  return Buffer.from(words.buffer)
}
