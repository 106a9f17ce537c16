import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
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

/** A parsed file of JSON. */
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
    throw new Problem('spec-invalid', `${file}:${line}:${column}: ${reason}`, {
      hint: `${hint}`,
    })
  }
  if (Buffer.byteLength(source) > largestSpecBytes) refuse(0, `the file is larger than ${largestSpecBytes} bytes`)
  refuseDeep(source, refuse)
  const errors: ParseError[] = []
  const root = parseTree(source, errors, { allowTrailingComma: true })
  const [error] = errors
  if (!root)
    return refuse(error?.offset ?? 0, 'the file holds no JSON', source.includes('=') ? ofProperties : undefined)
  if (error && source[error.offset] === "'")
    refuse(error.offset, 'texts are in single quotes', 'Write "name", with double quotes.')
  if (error) refuse(error.offset, syntaxReason(error))
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

const syntaxReason = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

function toValue(node: Node, source: string, refuse: Refuse): Json {
  if (node.type === 'array') return (node.children ?? []).map((child) => toValue(child, source, refuse))
  if (node.type === 'number' && !isExact(node.value as number)) {
    const written = source.slice(node.offset, node.offset + node.length)
    refuse(
      node.offset,
      `${written} does not fit a JSON number exactly; write {"$numberLong": "…"} or {"$numberDouble": "…"}`,
    )
  }
  if (node.type !== 'object') return node.value as Json
  const object: Record<string, Json> = {}
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? []
    if (!key || !value) continue
    const name = key.value as string
    if (name.length > maxKeyLength) refuse(key.offset, `a key is longer than ${maxKeyLength} characters`)
    if (keptKeys.has(name)) refuse(key.offset, `"${name}" may not be used as a key`)
    if (name.includes('\0')) refuse(key.offset, 'a key may not hold a null character')
    if (Object.hasOwn(object, name)) refuse(key.offset, `the key "${name}" is here twice`)
    object[name] = toValue(value, source, refuse)
  }
  return object
}

const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))

function findOffset(root: Node, path: Path, atKey: boolean): number {
  let node = root
  let keyOffset = root.offset
  for (const step of path) {
    const property = node.children?.find((child) => child.type === 'property' && child.children?.[0]?.value === step)
    const next = typeof step === 'number' ? node.children?.[step] : property?.children?.[1]
    if (!next) return node.offset
    keyOffset = property?.offset ?? next.offset
    node = next
  }
  return atKey ? keyOffset : node.offset
}

/** Converts offsets to positions. */
function createPositionLookup(source: string): (offset: number) => Position {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}
