import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import { byValue } from '../../../language/values/bson-types.ts'
import { isWrapper, isWrapperKey, unwrap } from '../../../language/values/extended-json.ts'

/** Maximum nesting depth of BSON. */
const deepest = 180

/**
 * Reads a document of Extended JSON, canonical or relaxed.
 * @throws {Error} with what is wrong with it, which holds nothing of its content.
 */
export function parseDocument(text: string): Record<string, unknown> {
  if (text.trimStart().startsWith('['))
    throw new Error('begins a list; every line must hold one document (mongoexport without --jsonArray)')
  const json = parse(keepNumbers(text))
  if (!isObject(json) || isWrapper(json)) throw new Error('is not a document')
  return toBson(json, 0) as Record<string, unknown>
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (shellSyntax.test(text))
      throw new Error(
        'has the syntax of the shell, which is not JSON: EJSON.stringify(document) in mongosh writes JSON',
        { cause: error },
      )
    // The engine quotes what it stumbled over, which is none of a log's business.
    const reason = (error as Error).message.replace(/,? (\.\.\.)?"[^]*$/, '')
    throw new Error(`is not JSON: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`, { cause: error })
  }
}

/** Constructors of BSON types, and keys in single quotes or in none. */
const shellSyntax =
  /\b(?:ObjectId|ISODate|Number(?:Int|Long|Decimal)|UUID|BinData|Timestamp|new Date)\(|^\s*\{\s*(?:'|[\w$]+\s*:)/

/** Numbers of relaxed Extended JSON whose type JavaScript would forget: whole doubles (`1.0`), and integers beyond 2^53. */
const fragileNumber = /[\d.][eE]|\d\.0|\d{16}/
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

function keepNumbers(json: string): string {
  if (!fragileNumber.test(json)) return json
  const parts: string[] = []
  // Texts are stepped over by hand: a regular expression for them runs out of stack in a long one.
  for (let start = 0; start < json.length;) {
    const quote = json.indexOf('"', start)
    const open = quote < 0 ? json.length : quote
    const end = endOfText(json, open)
    parts.push(json.slice(start, open).replace(number, keepNumber), json.slice(open, end))
    start = end
  }
  return parts.join('')
}

/** @param open Where its first quotation mark stands. */
function endOfText(json: string, open: number): number {
  for (let i = open + 1; i < json.length; i++) {
    if (json[i] === '\\') i++
    else if (json[i] === '"') return i + 1
  }
  return json.length
}

function keepNumber(digits: string): string {
  const value = Number(digits)
  if (/^-?\d+$/.test(digits))
    return Number.isSafeInteger(value) || !isInt64(digits) ? digits : wrapped('$numberLong', digits)
  return Number.isInteger(value) ? wrapped('$numberDouble', digits) : digits
}

const isInt64 = (digits: string): boolean => digits.length <= 20 && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits)
const wrapped = (type: string, content: string): string => `{"${type}":"${content}"}`

function toBson(node: Json, depth: number): unknown {
  if (depth > deepest) throw new Error(`is nested deeper than ${deepest} levels`)
  if (typeof node === 'number') return byValue(node)
  if (Array.isArray(node)) return (node as readonly Json[]).map((item) => toBson(item, depth + 1))
  if (!isObject(node)) return node
  return isWrapper(node) ? readWrapper(node) : readObject(node, depth)
}

/** The last date of JavaScript, in ms since 1970. */
const maxDateMs = 8.64e15

function readObject(node: JsonObject, depth: number): unknown {
  const entries = Object.entries(node)
  const foreign = entries.find(([key]) => isWrapperKey(key))
  if (foreign) throw new Error(`has "${foreign[0]}" beside other keys, which is not Extended JSON of version 2`)
  return Object.fromEntries(entries.map(([key, item]) => [key, toBson(item, depth + 1)]))
}

function readWrapper(node: JsonObject): unknown {
  const ms = node['$date']
  // As mongoexport wrote dates before 2.6.
  if (typeof ms === 'number' && Object.keys(node).length === 1 && Math.abs(ms) <= maxDateMs) return new Date(ms)
  try {
    return unwrap(node)
  } catch {
    throw new Error(`has a "${Object.keys(node)[0]}" in another form than Extended JSON of version 2`)
  }
}
