import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { type Json, type Path } from '../json.ts'
import { Problem } from '../errors.ts'

/** Larger files are refused: a spec is written by people. */
export const largestSpecBytes = 1_000_000
/** As deep as the server lets a document be. */
export const deepestSpec = 100

export type Position = { readonly line: number; readonly column: number }

/** A key is part of the place that every draw below it belongs to. */
const longestKey = 1000

/** Keys that mean something to JavaScript and to bson, whatever they hold. */
const keptKeys = new Set(['__proto__', '_bsontype'])

type Refuse = (offset: number, reason: string) => never

export type ParsedFile = {
  readonly file: string
  readonly value: Json
  /** Position of the value at a path, or of the nearest thing around it; of its key when asked. */
  readonly locate: (path: Path, atKey?: boolean) => Position
}

/**
 * Parses JSON as editors do (comments and trailing commas are accepted) and remembers where everything stands.
 * @throws {Problem} "spec-invalid" for what is no JSON, too large, too deep, or says one key twice.
 */
export function parseJson(text: string, file: string): ParsedFile {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  const position = positionsOf(source)
  const refuse: Refuse = (offset, reason) => {
    const { line, column } = position(offset)
    throw new Problem('spec-invalid', `${file}:${line}:${column}: ${reason}`, {
      hint: 'A spec is strict JSON; comments and trailing commas are allowed.',
    })
  }
  if (Buffer.byteLength(source) > largestSpecBytes) refuse(0, `the file is larger than ${largestSpecBytes} bytes`)
  checkDepth(source, refuse)
  const errors: ParseError[] = []
  const root = parseTree(source, errors, { allowTrailingComma: true })
  const [error] = errors
  if (!root) return refuse(error?.offset ?? 0, 'the file holds no JSON')
  if (error) refuse(error.offset, syntaxReason(error))
  return {
    file,
    value: toValue(root, source, refuse),
    locate: (path, atKey = false) => position(offsetOf(root, path, atKey)),
  }
}

/** The parser recurses, so a hostile depth has to be found before it starts. */
function checkDepth(source: string, refuse: Refuse): void {
  const scanner = createScanner(source, true)
  let depth = 0
  while (scanner.getPosition() < source.length) {
    scanner.scan()
    // The first character tells brackets from strings and comments; the scanner's kinds are compile-time constants.
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
    if (name.length > longestKey) refuse(key.offset, `a key is longer than ${longestKey} characters`)
    if (keptKeys.has(name)) refuse(key.offset, `"${name}" may not be used as a key`)
    if (name.includes('\0')) refuse(key.offset, 'a key may not hold a null character')
    if (Object.hasOwn(object, name)) refuse(key.offset, `the key "${name}" stands here twice`)
    object[name] = toValue(value, source, refuse)
  }
  return object
}

const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))

function offsetOf(root: Node, path: Path, atKey: boolean): number {
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

/** Offsets to lines and columns, both from 1. */
function positionsOf(source: string): (offset: number) => Position {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}
