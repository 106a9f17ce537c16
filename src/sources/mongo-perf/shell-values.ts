import { Unsupported } from './recorded.ts'
import { ShellValue } from './to-json.ts'

/** Makes a value from the arguments of a constructor, which a test may call with anything. */
type Make = (...args: readonly unknown[]) => ShellValue

/** A whole number that a constructor was given, as a number, a text or a value of the shell. */
function wholeText(name: string, value: unknown): string {
  const text = String(value ?? 0)
  if (/^-?\d+$/.test(text)) return text
  const number = Math.trunc(Number(value))
  if (!Number.isFinite(number)) throw new Unsupported(`${name}(${text})`)
  return BigInt(number).toString()
}

function long(value: unknown): ShellValue {
  const text = wholeText('NumberLong', value)
  return new ShellValue({ $numberLong: text }, Number(text))
}

function int(value: unknown): ShellValue {
  const number = Number(wholeText('NumberInt', value)) | 0
  return new ShellValue({ $numberInt: String(number) }, number)
}

function objectId(id: string): ShellValue {
  if (!/^[0-9a-f]{24}$/i.test(id)) throw new Unsupported(`ObjectId(${id})`)
  return new ShellValue({ $oid: id }, id)
}

const binary = (subType: number, base64: string): ShellValue =>
  new ShellValue({ $binary: { base64, subType: subType.toString(16).padStart(2, '0') } }, base64)

const hex = (subType: number, digits: unknown): ShellValue =>
  binary(subType, Buffer.from(String(digits).replaceAll('-', ''), 'hex').toString('base64'))

const constructors: Readonly<Record<string, Make>> = {
  NumberLong: long,
  NumberInt: int,
  NumberDecimal: (value) => new ShellValue({ $numberDecimal: String(value) }, Number(value)),
  Timestamp: (t = 0, i = 0) => new ShellValue({ $timestamp: { t: Number(t), i: Number(i) } }, Number(t)),
  BinData: (subType, base64) => binary(Number(subType), String(base64)),
  HexData: (subType, digits) => hex(Number(subType), digits),
  UUID: (digits) => hex(4, digits),
  MinKey: () => new ShellValue({ $minKey: 1 }, 'MinKey'),
  MaxKey: () => new ShellValue({ $maxKey: 1 }, 'MaxKey'),
  Code: (text) => new ShellValue({ $code: String(text) }, String(text)),
}

/**
 * Constructors of BSON types, which the shell calls with and without `new`.
 * @param nextId Makes the ids of `ObjectId()`.
 */
export const createConstructors = (nextId: () => string): Readonly<Record<string, Make>> =>
  Object.fromEntries(
    Object.entries<Make>({ ...constructors, ObjectId: (id) => objectId(id === undefined ? nextId() : String(id)) }).map(
      ([name, make]) => [name, constructible(make)],
    ),
  )

/** An arrow function cannot be called with `new`. */
const constructible = (make: Make): Make =>
  function construct(...args) {
    return make(...args)
  }
