import { Unsupported } from './recorded.ts'
import { ShellValue } from './to-json.ts'

const int32 = (value: number): number => value | 0

/** A whole number that a constructor was given, as a number, a text or a value of the shell. */
function wholeText(name: string, value: unknown): string {
  const text = String(value ?? 0)
  if (/^-?\d+$/.test(text)) return text
  const number = Math.trunc(Number(value))
  if (!Number.isFinite(number)) throw new Unsupported(`${name}(${text})`)
  return BigInt(number).toString()
}

/** Constructors of BSON types, which the shell calls with and without `new`. */
export function createConstructors(nextId: () => string): Readonly<Record<string, unknown>> {
  const long = (value: unknown): ShellValue => {
    const text = wholeText('NumberLong', value)
    return new ShellValue({ $numberLong: text }, Number(text))
  }
  const int = (value: unknown): ShellValue => {
    const number = int32(Number(wholeText('NumberInt', value)))
    return new ShellValue({ $numberInt: String(number) }, number)
  }
  const decimal = (value: unknown): ShellValue => new ShellValue({ $numberDecimal: String(value) }, Number(value))
  const objectId = (given?: unknown): ShellValue => {
    const id = given === undefined ? nextId() : String(given)
    if (!/^[0-9a-f]{24}$/i.test(id)) throw new Unsupported(`ObjectId(${id})`)
    return new ShellValue({ $oid: id }, id)
  }
  const binary = (subType: number, base64: string): ShellValue =>
    new ShellValue({ $binary: { base64, subType: subType.toString(16).padStart(2, '0') } }, base64)
  const hex = (subType: number, text: string): ShellValue =>
    binary(subType, Buffer.from(text.replaceAll('-', ''), 'hex').toString('base64'))
  const timestamp = (t: unknown = 0, i: unknown = 0): ShellValue =>
    new ShellValue({ $timestamp: { t: Number(t), i: Number(i) } }, Number(t))
  return Object.fromEntries(
    Object.entries({
      ObjectId: objectId,
      NumberLong: long,
      NumberInt: int,
      NumberDecimal: decimal,
      Timestamp: timestamp,
      BinData: (subType: unknown, base64: unknown) => binary(Number(subType), String(base64)),
      HexData: (subType: unknown, text: unknown) => hex(Number(subType), String(text)),
      UUID: (text: unknown) => hex(4, String(text)),
      MinKey: () => new ShellValue({ $minKey: 1 }, 'MinKey'),
      MaxKey: () => new ShellValue({ $maxKey: 1 }, 'MaxKey'),
      Code: (text: unknown) => new ShellValue({ $code: String(text) }, String(text)),
    }).map(([name, make]) => [name, constructible(make as (...args: readonly unknown[]) => ShellValue)]),
  )
}

/** A function that makes the same with `new` as without: an arrow function has no `new`. */
const constructible = (make: (...args: readonly unknown[]) => ShellValue) =>
  function construct(...args: readonly unknown[]): ShellValue {
    return make(...args)
  }
