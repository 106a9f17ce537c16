const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/**
 * The CRC-32 of bytes, as zip files have it: 0 to 2^32 - 1. Node 20 has no function for it.
 * @param before That of the bytes before them. Default: there are none.
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let rest = ~before
  for (let i = 0; i < bytes.length; i++) rest = (rest >>> 8) ^ (table[(rest ^ (bytes[i] as number)) & 0xff] as number)
  return ~rest >>> 0
}
