import { createHash, randomBytes } from 'node:crypto'
import { FieldReader } from '../../protocol/bson/field-reader.ts'
import { bsonType, int32At } from '../../protocol/bson/types.ts'
import { type Place, findTargetPlace, flags, places } from './places.ts'
import type { RecordedCall } from './recorded-call.ts'
import type { ValuesMode } from './values-modes.ts'

/** A way to replace values in place by others of the same type and length. */
type Disguise = {
  /** Overwrites bytes. */
  readonly bytes: (value: Buffer) => void
  /** Overwrites a text with letters. */
  readonly text: (value: Buffer) => void
  /** @param magnitude At least 2, below 2^63. */
  readonly whole: (magnitude: bigint) => bigint
  /** @param mantissa The 52 bits behind the exponent. */
  readonly fraction: (mantissa: bigint) => bigint
}

/** Keeps nothing but type and length. */
const shapeDisguise: Disguise = {
  bytes: (value) => void value.fill(0),
  text: (value) => void value.fill('x'),
  whole: () => 1n,
  fraction: () => 0n,
}

/**
 * Equal values stay equal, and numbers keep their power of two: within it they are permuted. The salt is not stored, so no one
 * can find values by trying them out. It is not encryption: someone who knows some values may find out others.
 */
function createHashDisguise(salt: Buffer = randomBytes(16)): Disguise {
  const hash = (value: Uint8Array | string): Buffer => createHash('sha256').update(salt).update(value).digest()
  const permutations = new Map<number, (low: bigint) => bigint>()

  function permutationOf(bits: number): (low: bigint) => bigint {
    const known = permutations.get(bits)
    if (known !== undefined) return known
    const drawn = hash(`${bits} bits`)
    const factor = drawn.readBigUInt64LE(0) | 1n
    const offset = drawn.readBigUInt64LE(8)
    const permute = (low: bigint): bigint => BigInt.asUintN(bits, low * factor + offset)
    permutations.set(bits, permute)
    return permute
  }

  return {
    bytes: (value) => void value.fill(hash(value)),
    text: (value) => void value.fill(hash(value).toString('base64url')),
    whole(magnitude) {
      const bits = magnitude.toString(2).length - 1
      const top = 1n << BigInt(bits)
      return top | permutationOf(bits)(magnitude - top)
    },
    fraction: (mantissa) => permutationOf(52)(mantissa),
  }
}

/**
 * Replaces the values of calls by others of the same types and lengths.
 * @param salt Salt of the hashes. Default: random, so that values cannot be guessed.
 */
export function hideValues(mode: ValuesMode, salt?: Buffer): (call: RecordedCall) => RecordedCall {
  if (mode === 'keep') return (call) => call
  const disguise = mode === 'hash' ? createHashDisguise(salt) : shapeDisguise
  return (call) => {
    const command = Buffer.from(call.command)
    hideCommand(readerAt(0).open(command, 0, command.length), disguise)
    return { ...call, command, reply: call.reply && { ...call.reply, digest: null, upsertedIds: [] } }
  }
}

/** One for each depth: a document is read while the one around it is. */
const readers: FieldReader[] = []

const readerAt = (depth: number): FieldReader => (readers[depth] ??= new FieldReader())

const findPlace = (name: string): Place => places.get(name) ?? {}

/** Hides the values of a command, whose first one names what it is for. */
function hideCommand(reader: FieldReader, disguise: Disguise, depth = 0): void {
  if (!reader.next()) return
  const name = reader.key()
  if (name === 'explain' && reader.type === bsonType.document)
    hideCommand(readerAt(depth + 1).openValueOf(reader), disguise, depth + 1)
  else hideValue(reader, findTargetPlace(name), disguise, depth)
  hideFields(reader, 'statement', disguise, depth)
}

/** Hides the values of the fields that come next. */
function hideFields(reader: FieldReader, name: string, disguise: Disguise, depth: number): void {
  const { fields, rest = name } = findPlace(name)
  while (reader.next()) hideValue(reader, fields?.get(reader.key()) ?? rest, disguise, depth)
}

function hideValue(reader: FieldReader, name: string, disguise: Disguise, depth: number): void {
  const { keeps, otherwise, items = name } = findPlace(name)
  if (keeps?.(reader) === true) return
  if (reader.type === bsonType.array) {
    const inner = readerAt(depth + 1).openValueOf(reader, bsonType.array)
    while (inner.next()) hideValue(inner, items, disguise, depth + 1)
  } else if (otherwise !== undefined) hideValue(reader, otherwise, disguise, depth)
  else if (reader.type === bsonType.document)
    hideFields(readerAt(depth + 1).openValueOf(reader), name, disguise, depth + 1)
  else hideScalar(reader, disguise, depth)
}

function hideScalar(reader: FieldReader, disguise: Disguise, depth: number): void {
  const { bytes, start, end } = reader
  switch (reader.type) {
    case bsonType.string:
    case bsonType.code:
    case bsonType.symbol:
      return disguise.text(bytes.subarray(start + 4, end - 1))
    case bsonType.regex: {
      // A leading ^ decides whether an index can be used.
      const from = bytes[start] === 0x5e ? start + 1 : start
      const patternEnd = bytes.indexOf(0, start)
      disguise.text(bytes.subarray(from, patternEnd))
      return void (
        flags.test(bytes.toString('latin1', patternEnd + 1, end - 1)) ||
        disguise.text(bytes.subarray(patternEnd + 1, end - 1))
      )
    }
    case bsonType.codeWithScope: {
      const scope = start + 8 + int32At(bytes, start + 4)
      disguise.text(bytes.subarray(start + 8, scope - 1))
      return hideFields(readerAt(depth + 1).open(bytes, scope, end), 'data', disguise, depth + 1)
    }
    case bsonType.binary:
      return disguise.bytes(bytes.subarray(start + 5, end))
    case bsonType.objectId:
      return disguise.bytes(bytes.subarray(start, end))
    case bsonType.dbPointer:
      disguise.text(bytes.subarray(start + 4, end - 13))
      return disguise.bytes(bytes.subarray(end - 12, end))
    case bsonType.int32:
      return void bytes.writeInt32LE(Number(hideWhole(BigInt(int32At(bytes, start)), disguise, 31)), start)
    case bsonType.int64:
    case bsonType.date:
    case bsonType.timestamp:
      return void bytes.writeBigInt64LE(hideWhole(bytes.readBigInt64LE(start), disguise), start)
    case bsonType.decimal128:
      bytes.writeBigInt64LE(hideWhole(bytes.readBigInt64LE(start), disguise), start)
      return hideDigits(bytes, start + 8, disguise)
    case bsonType.double:
      return hideDouble(bytes, start, disguise)
  }
}

/** Hides a whole number. -1, 0 and 1 reveal nothing; the lowest number is alone in its magnitude. @param bits Without the sign. */
function hideWhole(value: bigint, disguise: Disguise, bits = 63): bigint {
  const magnitude = value < 0n ? -value : value
  if (magnitude < 2n || magnitude >> BigInt(bits) > 0n) return value
  return value < 0n ? -disguise.whole(magnitude) : disguise.whole(magnitude)
}

const digitBits = 49

/** Hides the upper digits of a decimal, which are behind its sign and exponent. */
function hideDigits(bytes: Buffer, start: number, disguise: Disguise): void {
  const bits = bytes.readBigUInt64LE(start)
  const digits = BigInt.asUintN(digitBits, bits)
  bytes.writeBigUInt64LE(bits - digits + hideWhole(digits, disguise), start)
}

const mantissaBits = 52

/** Hides a double. A whole number stays whole. */
function hideDouble(bytes: Buffer, start: number, disguise: Disguise): void {
  const value = bytes.readDoubleLE(start)
  if (Number.isSafeInteger(value)) return void bytes.writeDoubleLE(Number(hideWhole(BigInt(value), disguise)), start)
  const bits = bytes.readBigUInt64LE(start)
  const mantissa = BigInt.asUintN(mantissaBits, bits)
  // What is no number may hold any bits.
  if (Number.isNaN(value)) bytes.writeDoubleLE(NaN, start)
  else if (Number.isFinite(value)) bytes.writeBigUInt64LE((bits - mantissa) | disguise.fraction(mantissa), start)
}
