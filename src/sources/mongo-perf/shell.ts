import { shellAssert } from './shell-assert.ts'
import { createRandom } from './shell-random.ts'
import { createConstructors } from './shell-values.ts'
import { createDatabase, type CurrentRecorder } from './shell-database.ts'
import { toJson } from './to-json.ts'

/** What a shell hands to files, besides the built-ins of the language. */
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

const text = (value: unknown): string => JSON.stringify(toJson(value)) ?? 'undefined'

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
    tojson: text,
    tojsononeline: text,
    isNumber: (value: unknown) => typeof value === 'number',
    isString: (value: unknown) => typeof value === 'string',
    isObject: (value: unknown) => typeof value === 'object',
  }
  const additions = {
    Math: { random: rand },
    Object: {
      extend,
      merge: (one: Fields, other: Fields, isDeep?: boolean) => extend(extend({}, one, isDeep), other, isDeep),
    },
    Array: { contains: (list: readonly unknown[], item: unknown) => list.includes(item) },
  }
  return { globals, additions, db }
}
