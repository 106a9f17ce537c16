/** The types of BSON values, by the byte in front of their key. */
export const bsonType = {
  double: 0x01,
  string: 0x02,
  document: 0x03,
  array: 0x04,
  binary: 0x05,
  undefined: 0x06,
  objectId: 0x07,
  boolean: 0x08,
  date: 0x09,
  null: 0x0a,
  regex: 0x0b,
  dbPointer: 0x0c,
  code: 0x0d,
  symbol: 0x0e,
  codeWithScope: 0x0f,
  int32: 0x10,
  timestamp: 0x11,
  int64: 0x12,
  decimal128: 0x13,
  maxKey: 0x7f,
  minKey: 0xff,
} as const

/** Bytes that are no BSON: their lengths contradict each other. */
export class MalformedBson extends Error {
  override readonly name: string = 'MalformedBson'
}

/** -1: those of other types. */
const bytesByType = (bytes: Readonly<Partial<Record<number, number>>>): Int8Array =>
  Int8Array.from({ length: 256 }, (_, type) => bytes[type] ?? -1)

/** Types whose values all have the same size, in bytes. */
const fixedBytes = bytesByType({
  [bsonType.double]: 8,
  [bsonType.undefined]: 0,
  [bsonType.objectId]: 12,
  [bsonType.boolean]: 1,
  [bsonType.date]: 8,
  [bsonType.null]: 0,
  [bsonType.int32]: 4,
  [bsonType.timestamp]: 8,
  [bsonType.int64]: 8,
  [bsonType.decimal128]: 16,
  [bsonType.maxKey]: 0,
  [bsonType.minKey]: 0,
})

/** Types that begin with a length, and their bytes besides those that it counts. */
const bytesBesides = bytesByType({
  [bsonType.string]: 4,
  [bsonType.document]: 0,
  [bsonType.array]: 0,
  [bsonType.binary]: 5,
  [bsonType.dbPointer]: 4 + 12,
  [bsonType.code]: 4,
  [bsonType.symbol]: 4,
  [bsonType.codeWithScope]: 0,
})

/** The offset behind a value of any BSON type that begins at an offset. */
export function endOfValue(bytes: Uint8Array, type: number, at: number): number {
  const fixed = fixedBytes[type] as number
  if (fixed >= 0) return at + fixed
  const besides = bytesBesides[type] as number
  if (besides >= 0) return at + besides + int32At(bytes, at)
  if (type === bsonType.regex) return behindZero(bytes, behindZero(bytes, at))
  throw new MalformedBson(`There is no BSON type ${type}`)
}

/** Finds the field of a name, in ASCII, at the top level of the document at an offset. Returns the offset of its type; -1: there is none. */
export function fieldAt(bytes: Uint8Array, document: number, name: string): number {
  const end = document + int32At(bytes, document) - 1
  for (let at = document + 4; at < end;) {
    const value = behindZero(bytes, at + 1)
    if (isKey(bytes, at + 1, value, name)) return at
    at = endOfValue(bytes, bytes[at] as number, value)
  }
  return -1
}

function isKey(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start - 1 !== name.length) return false
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name.charCodeAt(i)) return false
  return true
}

/** The offset behind the next zero. Keys are short: looking at each byte is quicker than a call into native code. */
export function behindZero(bytes: Uint8Array, at: number): number {
  let end = at
  while (end < bytes.length && bytes[end] !== 0) end++
  return end + 1
}

/** The int64 at an offset. 0, as of most cursors of replies, is not made anew. */
export const int64At = (bytes: Buffer, at: number): bigint =>
  (int32At(bytes, at) | int32At(bytes, at + 4)) === 0 ? 0n : bytes.readBigInt64LE(at)

export const int32At = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) |
  ((bytes[at + 1] as number) << 8) |
  ((bytes[at + 2] as number) << 16) |
  ((bytes[at + 3] as number) << 24)
