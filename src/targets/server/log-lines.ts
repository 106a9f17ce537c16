import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { z } from 'zod'

/** A line of a mongod log, as far as we need it. */
type LogLine = { readonly s?: unknown; readonly msg?: unknown; readonly attr?: Readonly<Record<string, unknown>> }

/** The last complaints in a mongod log, in words; where it has none, the last lines of what it printed or logged. */
export function lastLogLines(log: string, output: string, count = 3): string[] {
  const entries = log.split('\n').flatMap((line) => parse(line) ?? [])
  const complaints = entries.filter(({ s }) => s === 'E' || s === 'F').map(inWords)
  const causes = complaints.filter((text) => !isEnd.test(text))
  const printed = output.split('\n').filter((line) => line.trim() !== '')
  const found = [causes, complaints, printed, entries.map(inWords)].find((lines) => lines.length > 0) ?? []
  // Each step of a failed start repeats the message.
  return [...new Set(found)].slice(-count)
}

/** That it ends is known; why, stands before it. */
const isEnd = /^\*{3}aborting after|^Writing fatal message: Got signal/

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
  const [detail] = detailFields.flatMap((field) => textIn(attr[field]) ?? [])
  return onOneLine(detail === undefined ? String(msg) : `${String(msg)}: ${detail}${placeOf(attr)}`)
}

const detailFields = ['error', 'errmsg', 'message', 'msg', 'reason', 'expr'] as const

/** A number alone is no help: its meaning stands beside it. */
function textIn(detail: unknown): string | undefined {
  if (detail === undefined || typeof detail === 'number') return undefined
  if (typeof detail === 'string') return detail
  const parts = errorDocument.safeParse(detail).data
  const texts = [parts?.errmsg, parts?.msg, parts?.error_str].filter((text) => text !== undefined)
  return texts.length > 0 ? texts.join(': ') : JSON.stringify(detail)
}

/** Of the server, and of WiredTiger. */
const errorDocument = z.object({
  errmsg: z.string().optional(),
  msg: z.string().optional(),
  error_str: z.string().optional(),
})

/** Where in the source of the server an assertion stands. */
const placeOf = ({ file, line }: NonNullable<LogLine['attr']>): string =>
  file === undefined || line === undefined ? '' : ` (${String(file)}:${String(line)})`

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
