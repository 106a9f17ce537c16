import { isDeepStrictEqual } from 'node:util'
import { calculateObjectSize, type Document, EJSON } from 'bson'
import { placeKey, Stream } from '../../core/random.ts'
import { Unsupported } from './recorded.ts'
import { createDatabase, type CurrentRecorder } from './shell-database.ts'
import { ShellValue, toJson, withDoubles } from './to-json.ts'

/** Globals that a shell provides to files, besides the built-ins of the language. */
export type Shell = {
  /** Globals by name. */
  readonly globals: Readonly<Record<string, unknown>>
  /** Functions that the shell adds to built-ins, by the name of the built-in. */
  readonly additions: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly db: unknown
}

/** Ids that are the same in every import, from the second in which they begin. */
function createIds(): () => string {
  const firstSecond = Date.UTC(2024, 0, 1) / 1000
  let made = 0
  return () => {
    made += 1
    return `${firstSecond.toString(16).padStart(8, '0')}${made.toString(16).padStart(16, '0')}`
  }
}

/** Globals of the shell that stand for other servers and tools: what is called on them is refused by its name. */
const elsewhere = ['sh', 'rs', 'jsTest', 'TestData', 'Mongo', 'connect', 'MongoRunner', 'ReplSetTest', 'ShardingTest']

const refusing = (name: string, current: CurrentRecorder): unknown =>
  new Proxy(function stands() {}, {
    get: (_target, key) => (typeof key === 'symbol' ? undefined : current().refuse(`${name}.${key}`)),
    apply: () => current().refuse(`${name}()`),
    construct: () => current().refuse(`new ${name}()`),
  })

type Fields = Record<string, unknown>

/** `Object.extend` of the shell: copies fields, with `isDeep` also what they hold. */
function extend(to: Fields, from: Fields | undefined, isDeep?: boolean): Fields {
  for (const [key, value] of Object.entries(from ?? {}))
    to[key] = isDeep === true && isPlain(value) ? extend(Array.isArray(value) ? ([] as never) : {}, value, true) : value
  return to
}

const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  /^\[object (Object|Array)\]$/.test(Object.prototype.toString.call(value))

const formatValue = (value: unknown): string => JSON.stringify(toJson(value)) ?? 'undefined'

/** `Object.bsonsize` of the shell: bytes of a document, without an `_id` that it does not have. */
const bsonSize = (document: unknown): number =>
  calculateObjectSize(EJSON.parse(JSON.stringify(withDoubles(toJson(document))), { relaxed: false }) as Document)

/** Called with and without `new`. */
function isoDate(given?: string): Date {
  return given === undefined ? new Date() : new Date(given)
}

const quiet = (): void => {}

/**
 * A stand-in for the API of the legacy shell.
 * @param current Records what is done to the database.
 * @param load Runs another file.
 */
export function createShell(current: CurrentRecorder, load: (path: string) => void): Shell {
  const { rand, globals: random } = createRandom()
  const db = createDatabase(current)
  const globals = {
    ...createConstructors(createIds()),
    ...Object.fromEntries(elsewhere.map((name) => [name, refusing(name, current)])),
    db,
    Random: random,
    assert: shellAssert,
    ISODate: isoDate,
    load(path: unknown) {
      load(String(path))
      return true
    },
    print: quiet,
    printjson: quiet,
    sleep: quiet,
    tojson: formatValue,
    tojsononeline: formatValue,
    isNumber: (value: unknown) => typeof value === 'number',
    isString: (value: unknown) => typeof value === 'string',
    isObject: (value: unknown) => typeof value === 'object',
  }
  const additions = {
    Math: { random: rand },
    Object: {
      extend,
      merge: (one: Fields, other: Fields, isDeep?: boolean) => extend(extend({}, one, isDeep), other, isDeep),
      bsonsize: bsonSize,
    },
    Array: { contains: (list: readonly unknown[], item: unknown) => list.includes(item) },
  }
  return { globals, additions, db }
}

/** Random numbers of the shell, under its names. They are not the shell's numbers, but the same in every import. */
type ShellRandom = {
  readonly rand: () => number
  readonly globals: object
}

/** `Random` of the shell, from a seed that a test may set. */
function createRandom(): ShellRandom {
  let stream = new Stream(placeKey(0, 'shell')).at(0)
  const seed = (given: unknown): void => {
    const number = Math.trunc(Number(given ?? 0))
    stream = new Stream(placeKey(Number.isFinite(number) ? Math.abs(number) : 0, 'shell')).at(0)
  }
  const rand = (): number => stream.float()
  const randInt = (from: number, below?: number): number =>
    below === undefined ? Math.floor(rand() * from) : from + Math.floor(rand() * (below - from))
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - rand())) * Math.cos(2 * Math.PI * rand())
  return {
    rand,
    globals: {
      setRandomSeed: seed,
      srand: seed,
      setRandomFixtureSeed: seed,
      rand,
      randInt,
      genExp: (mean: number) => -Math.log(1 - rand()) * mean,
      genNormal: (mean: number, deviation: number) => mean + deviation * normal(),
    },
  }
}

type Assertion = (...args: readonly unknown[]) => unknown

/** Creates the error of a failed assertion. Not the error of the shell: its text is all that is shown. */
const failed = (what: string, message: unknown): Error =>
  new Error(`assert.${what} failed${typeof message === 'string' ? `: ${message}` : ''}`)

const compared =
  (what: string, holds: (one: number, other: number) => boolean): Assertion =>
  (one, other, message) => {
    if (!holds(one as number, other as number)) throw failed(what, message)
  }

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || isDeepStrictEqual(toJson(one), toJson(other))

/** Commands are recorded and not run, so there is nothing that could have failed. */
const worked: Assertion = (reply) => reply

const assert: Assertion = (condition, message) => {
  if (!condition) throw failed('assert', message)
}

/** `assert` of the shell, without what asks a server. */
const shellAssert: Assertion = Object.assign(assert, {
  eq(one: unknown, other: unknown, message?: unknown) {
    if (!isEqual(one, other)) throw failed('eq', message)
  },
  neq(one: unknown, other: unknown, message?: unknown) {
    if (isEqual(one, other)) throw failed('neq', message)
  },
  lt: compared('lt', (one, other) => one < other),
  lte: compared('lte', (one, other) => one <= other),
  gt: compared('gt', (one, other) => one > other),
  gte: compared('gte', (one, other) => one >= other),
  contains(item: unknown, list: readonly unknown[], message?: unknown) {
    if (!list.some((other) => isEqual(item, other))) throw failed('contains', message)
  },
  commandWorked: worked,
  writeOK: worked,
})

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
const createConstructors = (nextId: () => string): Readonly<Record<string, Make>> =>
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
