import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { Problem } from '../../core/errors.ts'
import { type Json, type Path } from '../../core/json.ts'

/** Larger files are refused: a spec is written by people. */
export const largestSpecBytes = 1_000_000
/** Maximum depth of a spec: that of a document on the server. */
export const deepestSpec = 100

/** A position in a file; lines and columns count from 1. */
export type Position = { readonly line: number; readonly column: number }

/** Maximum length of a key in characters: keys become part of the place of each draw below them. */
const maxKeyLength = 1000

/** Keys with a special meaning in JavaScript or bson. */
const keptKeys = new Set(['__proto__', '_bsontype'])

/** Not every property file has the name or the property by which it is known as one. */
const ofProperties = '`mongo-perf import ycsb FILE` makes one of a property file of YCSB.'

type Refuse = (offset: number, reason: string, hint?: string) => never

export type ParsedFile = {
  readonly file: string
  readonly value: Json
  /** Position of the value at a path, or of the nearest value around it. With `atKey`: that of its key. */
  readonly locate: (path: Path, atKey?: boolean) => Position
}

/**
 * Parses JSON as editors do, with comments and trailing commas, and keeps the position of each value.
 * @throws {Problem} "spec-invalid" for a text that is not JSON, too large or too deep, or has a key twice.
 */
export function parseJson(text: string, file: string): ParsedFile {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const position = createPositionLookup(source)
  const refuse: Refuse = (offset, reason, hint = 'Write JSON; comments are allowed (JSONC).') => {
    const { line, column } = position(offset)
    throw new Problem('spec-invalid', `${file}:${line}:${column}: ${reason}`, { hint })
  }
  if (Buffer.byteLength(source) > largestSpecBytes) refuse(0, `the file is larger than ${largestSpecBytes / 1e6} MB`)
  refuseDeep(source, refuse)
  const errors: ParseError[] = []
  const root = parseTree(source, errors, { allowTrailingComma: true })
  const [error] = errors
  if (!root)
    return refuse(error?.offset ?? 0, 'the file holds no JSON', source.includes('=') ? ofProperties : undefined)
  if (error) refuseSyntax(error, source, refuse)
  return {
    file,
    value: toValue(root, source, refuse),
    locate: (path, atKey = false) => position(findOffset(root, path, atKey)),
  }
}

/** The parser recurses, so an excessive depth has to be found before it starts. */
function refuseDeep(source: string, refuse: Refuse): void {
  const scanner = createScanner(source, true)
  let depth = 0
  while (scanner.getPosition() < source.length) {
    scanner.scan()
    // The first character identifies brackets: the scanner's token kinds exist only at compile time.
    const first = source[scanner.getTokenOffset()]
    if (first === '{' || first === '[') depth++
    else if (first === '}' || first === ']') depth--
    if (depth > deepestSpec) refuse(scanner.getTokenOffset(), `nested deeper than ${deepestSpec} levels`)
  }
}

function refuseSyntax({ error, offset }: ParseError, source: string, refuse: Refuse): never {
  if (source[offset] === "'") refuse(offset, 'texts are in single quotes', 'Write "name", with double quotes.')
  const reason = printParseErrorCode(error).replaceAll(/([a-z])([A-Z])/g, '$1 $2')
  return refuse(offset, reason.toLowerCase())
}

function toValue({ type, value, children = [], offset, length }: Node, source: string, refuse: Refuse): Json {
  if (type === 'array') return children.map((child) => toValue(child, source, refuse))
  if (type === 'object') return toObject(children, source, refuse)
  if (type === 'number' && !isExact(value as number))
    refuse(
      offset,
      `${source.slice(offset, offset + length)} does not fit a JSON number exactly; write {"$numberLong": "…"} or {"$numberDouble": "…"}`,
    )
  return value as Json
}

function toObject(properties: readonly Node[], source: string, refuse: Refuse): Json {
  const object: Record<string, Json> = {}
  for (const { children: [key, value] = [] } of properties) {
    if (!key || !value) continue
    const name = key.value as string
    const reason = reasonAgainst(name, object)
    if (reason !== undefined) refuse(key.offset, reason)
    object[name] = toValue(value, source, refuse)
  }
  return object
}

function reasonAgainst(key: string, object: object): string | undefined {
  if (key.length > maxKeyLength) return `a key is longer than ${maxKeyLength} characters`
  if (keptKeys.has(key)) return `"${key}" may not be used as a key`
  if (key.includes('\0')) return 'a key may not hold a null character'
  return Object.hasOwn(object, key) ? `the key "${key}" is here twice` : undefined
}

const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))

function findOffset(root: Node, path: Path, atKey: boolean): number {
  const node = findNodeAtLocation(root, [...path])
  if (node === undefined) return findOffset(root, path.slice(0, -1), false)
  return atKey && node.parent?.type === 'property' ? node.parent.offset : node.offset
}

function createPositionLookup(source: string): (offset: number) => Position {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}
