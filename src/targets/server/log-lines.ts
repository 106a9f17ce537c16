import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** A line of a mongod log, as far as we need it. */
type LogLine = { readonly s?: unknown; readonly msg?: unknown; readonly attr?: Readonly<Record<string, unknown>> }

/** The last complaints in a mongod log, in words; where it has none, the last lines of what it printed or logged. */
export function lastLogLines(log: string, output: string, count = 3): string[] {
  const entries = log.split('\n').flatMap((line) => parse(line) ?? [])
  const complaints = entries.filter(({ s }) => s === 'E' || s === 'F')
  const printed = output.split('\n').filter((line) => line.trim() !== '')
  const found = [complaints.map(inWords), printed, entries.map(inWords)].find((lines) => lines.length > 0) ?? []
  // Each step of a failed start says the same again.
  return [...new Set(found)].slice(-count)
}

const tailBytes = 256 * 1024

/** The end of a file, however long it has grown; '' where there is none. */
export function readTail(file: string): string {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const start = Math.max(0, fstatSync(descriptor).size - tailBytes)
      const buffer = Buffer.alloc(tailBytes)
      return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, tailBytes, start))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}

function parse(line: string): LogLine | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null ? entry : undefined
  } catch {
    return undefined
  }
}

function inWords({ msg, attr = {} }: LogLine): string {
  const detail = attr['error'] ?? attr['errmsg'] ?? attr['message'] ?? attr['msg'] ?? attr['reason'] ?? attr['expr']
  const text = isErrorDocument(detail) ? detail.errmsg : detail
  if (text === undefined) return onOneLine(String(msg))
  return onOneLine(`${String(msg)}: ${typeof text === 'string' ? text : JSON.stringify(text)}${placeOf(attr)}`)
}

/** Where in the source of the server an assertion stands. */
const placeOf = ({ file, line }: NonNullable<LogLine['attr']>): string =>
  file === undefined || line === undefined ? '' : ` (${String(file)}:${String(line)})`

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const isErrorDocument = (value: unknown): value is { readonly errmsg: unknown } =>
  typeof value === 'object' && value !== null && 'errmsg' in value
