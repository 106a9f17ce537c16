import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import { product, sum } from '../workloads/values.ts'
import { Unsupported } from './recorded.ts'
import { doubleJson, isTyped } from './to-json.ts'

/** How the templates of a test are written in a spec, which its parts share. */
export type Templates = {
  /** A value of an operation, with expressions in place of templates. */
  readonly value: (json: Json) => Json
  /** The name of a new variable, which hides an earlier one of the same name. */
  readonly define: (target: string) => string
  /** The round of the worker through the operations of the test, from 0, as an expression. */
  readonly round: () => Json
  /** Values that `let` of the operation needs besides the variables of the test. */
  readonly lets: () => JsonObject
}

/** The parameter of imported specs with the number of workers. */
export const workersParameter = 'workers'

/** The name of the round in `let`. */
const roundName = 'round'

/** Letters of `#RAND_STRING`. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const int32Max = 2 ** 31 - 1

/** The highest byte of an int64 holds the number of the thread where a sequence is "unique". */
const threadStep = 2n ** 56n

type Sequence = { readonly text: string; readonly uses: number; next: number }

/** Finds the key that begins an object that benchRun evaluates. Undefined for any other value. */
const findTemplateName = (json: Json): string | undefined => {
  const [first] = isObject(json) ? Object.keys(json) : []
  return first?.startsWith('#') ? first : undefined
}

/** Whether a value holds a template. */
export const hasTemplate = (json: Json): boolean =>
  typeof json === 'object' &&
  json !== null &&
  (findTemplateName(json) !== undefined || (Object.values(json) as readonly Json[]).some(hasTemplate))

/** @param values All values of one round of the test, in the order in which benchRun evaluates them. */
export function createTemplates(values: readonly Json[]): Templates {
  const sequences = sequencesIn(values)
  const variables = new Map<string, string>()
  const lets: { [name: string]: Json } = {}

  function round(): Json {
    // Each worker counts its own rounds, as if calls were dealt out in turn: so does "@worker".
    lets[roundName] = {
      '@floor': { '@divide': [{ '@int': { distribution: 'sequential' } }, { '@param': workersParameter }] },
    }
    return { '@var': roundName }
  }

  function value(json: Json): Json {
    if (typeof json === 'number') return doubleJson(json)
    if (Array.isArray(json)) return (json as readonly Json[]).map(value)
    if (!isObject(json) || isTyped(json)) return json
    if (findTemplateName(json) !== undefined) return template(json)
    for (const [key, item] of Object.entries(json)) {
      if (key.startsWith('@')) throw new Unsupported(`a field whose name begins with "@" (${key})`)
      if (findTemplateName(item) === '#OID' && key !== '_id')
        throw new Unsupported(`#OID in a field that is not _id (${key})`)
    }
    return Object.fromEntries(Object.entries(json).map(([key, item]) => [key, value(item)]))
  }

  function template(json: JsonObject): Json {
    const [[name = '', argument = null] = []] = Object.entries(json)
    const evaluate = evaluators[name]
    if (!evaluate) throw new Unsupported(`the template ${name}`)
    return evaluate(argument)
  }

  const evaluators: Readonly<Record<string, (argument: Json) => Json>> = {
    '#RAND_INT': randomInt,
    '#RAND_INT_PLUS_THREAD': (argument) => randomPlusThread(argument),
    '#SEQ_INT': sequence,
    '#RAND_STRING': randomString,
    '#CONCAT': (argument) => ({ '@concat': requireConcatParts(argument).map(textPart) }),
    '#OID': () => ({ '@objectId': {} }),
    '#VARIABLE': variable,
    '#CUR_DATE': (argument) => ({ '@now': argument === 0 ? {} : { offsetMs: whole('#CUR_DATE', argument) } }),
  }

  function textPart(part: Json): Json {
    if (typeof part === 'string') return part
    const name = findTemplateName(part)
    // Of other types it is not known how the shell of a version writes them.
    if (name === undefined || !name.startsWith('#RAND_'))
      throw new Unsupported(`#CONCAT of ${name ?? JSON.stringify(part)}`)
    return value(part)
  }

  function variable(argument: Json): Json {
    const name = variables.get(String(argument))
    if (name === undefined) throw new Unsupported(`#VARIABLE ${String(argument)} without a let before it`)
    return { '@var': name }
  }

  function sequence(argument: Json): Json {
    const { seq_id: id = null, start, step, mod, unique } = argument as JsonObject
    const found = sequences.get(Number(id)) as Sequence
    const use = found.next
    found.next += 1
    const [from, by] = [whole('#SEQ_INT', start), whole('#SEQ_INT', step)]
    const index = sum(product(round(), found.uses), use)
    const own = sum(product(index, by), from)
    const isUnique = unique !== undefined && unique !== false && unique !== 0
    if (mod === undefined) return { '@toLong': isUnique ? sum(own, threadPart(threadStep)) : own }
    const divisor = whole('#SEQ_INT', mod)
    if (from < 0 || by < 0 || divisor < 1) throw new Unsupported('#SEQ_INT with "mod" and a negative number')
    const dividend = isUnique ? sum(own, threadPart(threadStep % BigInt(divisor))) : own
    return { '@toLong': { '@mod': [dividend, divisor] } }
  }

  function define(target: string): string {
    const plain = `let_${target.replaceAll(/\W/g, '_')}`
    const name = defined.includes(plain) ? `${plain}_${defined.length + 1}` : plain
    defined.push(name)
    variables.set(target, name)
    return name
  }
  const defined: string[] = []

  return { value, define, round, lets: () => lets }
}

/** The sequences of a test, and how often each advances in one round. */
function sequencesIn(values: readonly Json[]): ReadonlyMap<number, Sequence> {
  const found = new Map<number, Sequence>()
  const visit = (json: Json): void => {
    if (typeof json !== 'object' || json === null) return
    for (const inner of Object.values(json) as readonly Json[]) visit(inner)
    if (findTemplateName(json) !== '#SEQ_INT') return
    const argument = (json as JsonObject)['#SEQ_INT']
    if (!isObject(argument)) throw new Unsupported('#SEQ_INT without an object')
    const id = whole('#SEQ_INT', argument['seq_id'])
    const text = JSON.stringify(argument)
    const { text: known = text, uses = 0 } = found.get(id) ?? {}
    if (known !== text) throw new Unsupported(`#SEQ_INT ${id} with different arguments`)
    found.set(id, { text, uses: uses + 1, next: 0 })
  }
  for (const value of values) visit(value)
  return found
}

function whole(name: string, json: Json | undefined): number {
  const number = isTyped(json ?? null) ? Number(Object.values(json as JsonObject)[0]) : json
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw new Unsupported(`${name} with ${JSON.stringify(json) ?? 'nothing'} in place of a whole number`)
  return number
}

function requireConcatParts(argument: Json): readonly Json[] {
  if (!Array.isArray(argument) || argument.length < 2) throw new Unsupported('#CONCAT of fewer than two parts')
  return argument as readonly Json[]
}

function readNumberRange(name: string, argument: Json): readonly number[] {
  const given = Array.isArray(argument) ? (argument as readonly Json[]).map((item) => whole(name, item)) : []
  const [min = 0, max = 0] = given
  if (given.length < 2 || max <= min) throw new Unsupported(`${name} with ${JSON.stringify(argument)}`)
  return given
}

function randomInt(argument: Json): Json {
  const [min = 0, max = 0, factor = 1] = readNumberRange('#RAND_INT', argument)
  const drawn = { '@int': { min, max: max - 1 } }
  if (factor === 1) return drawn
  if (Math.max(Math.abs(min), Math.abs(max)) * Math.abs(factor) > int32Max)
    throw new Unsupported('#RAND_INT beyond 2^31')
  return { '@multiply': [drawn, factor] }
}

function randomPlusThread(argument: Json): Json {
  const [min = 0, max = 0] = readNumberRange('#RAND_INT_PLUS_THREAD', argument)
  return sum({ '@int': { min, max: max - 1 } }, threadPart(BigInt(max - min)))
}

function randomString(argument: Json): Json {
  const [length] = Array.isArray(argument) ? (argument as readonly Json[]) : []
  const letters = whole('#RAND_STRING', length)
  if (letters < 1) throw new Unsupported(`#RAND_STRING of ${letters} letters`)
  return { '@string': { length: letters, alphabet } }
}

const threadPart = (step: bigint): Json =>
  product({ '@worker': {} }, step > BigInt(Number.MAX_SAFE_INTEGER) ? { $numberLong: step.toString() } : Number(step))
