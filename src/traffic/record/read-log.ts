import { statSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { type Document, EJSON } from 'bson'
import { describeErrorCode, Problem } from '../../core/errors.ts'
import { isDocument } from '../../language/values/bson-types.ts'
import { openContent } from '../../run/data/files/content.ts'
import { maxDocument } from '../../run/data/files/documents.ts'
import { decodeText } from '../../run/data/files/json.ts'
import { type Line, splitLines } from '../../run/data/files/read-lines.ts'
import { identifyFile } from '../../spec/schema/data-file-kinds.ts'

/** The slow operations of a log, and what else was found in it. */
export type SlowLog = {
  /** Entries "Slow query", as a profile has them. @throws {Problem} "recording-unreadable". */
  readonly entries: () => AsyncGenerator<Document>
  /** Lines that were left out, by reason, once `entries` has been read. */
  readonly leftOut: () => ReadonlyMap<string, number>
  /** Describes what a log without a slow operation has instead. */
  readonly nothing: () => Problem
}

const slow = 'Slow query'
/** An entry of a log in JSON, also inside of a text of JSON. */
const mark = /\{\s*\\?"t\\?"\s*:\s*\{\s*\\?"\$date\\?"/
/** Begins an object over several lines, behind what quotes or names of containers put before them. */
const opening = /^((?:> ?|[\w.-]+ *\| ?)*\s*)(?:\[\s*)?\{\s*$/
/** Ends an object or an array, as every whole entry does. */
const whole = /[}\]],?$/
/** Begins a line of a server before 4.4: "2020-05-01T12:00:00.000+0000 I COMMAND  [conn1] command". */
const older = /^\d{4}-\d\d-\d\dT\S+ [IWEFD]\d? +[A-Z]+ +\[/

/**
 * Reads the log of a mongod in any wrapping that keeps its JSON: behind the names of containers, of a journal or of quotes, pretty-printed, as an
 * array, as texts in other JSON, compressed with gzip. Memory is that of a line.
 */
export function readLog(log: string): SlowLog {
  const [unreadable, foreign] = [
    { lines: 0, first: 0 },
    { lines: 0, first: 0 },
  ]
  let [entriesSeen, isOlder] = [0, false]

  /** Counts a line without a slow operation by what it is. */
  function noteOther(text: string, number: number): void {
    if (/^[[\]{},\s]*$/.test(text)) return
    if (!mark.test(text) && !text.includes(slow)) {
      isOlder ||= older.test(text)
      note(foreign, number)
    } else if (whole.test(text.trimEnd())) entriesSeen += 1
    else note(unreadable, number)
  }

  function* readOne(text: string, number: number): Generator<Document> {
    if (!text.includes(slow)) return noteOther(text, number)
    const found = parse(text)
    if (found === undefined) return note(unreadable, number)
    entriesSeen += 1
    yield* findEntries(found, maxLevels)
  }

  async function* entries(): AsyncGenerator<Document> {
    /** Lines of an object that is not complete yet, and what is before its last brace. */
    let open: string[] = []
    let [indent, from, bytes] = ['', 0, 0]
    for await (const line of linesOf(log)) {
      const text = decode(line)
      const begins = opening.exec(text)
      if (open.length > 0 && (mark.test(text) || begins?.[1] === indent || bytes > maxDocument)) {
        note(unreadable, from)
        open = []
      }
      if (open.length === 0 && begins) [open, indent, from, bytes] = [['{'], begins[1] ?? '', line.number, 0]
      else if (open.length === 0) yield* readOne(text, line.number)
      else {
        open.push(text.slice(indent.length))
        bytes += text.length
        if (!text.startsWith(`${indent}}`)) continue
        yield* readOne(open.join('\n'), from)
        open = []
      }
    }
    if (open.length > 0) note(unreadable, from)
  }

  return {
    entries,
    leftOut: () =>
      new Map(
        [
          [`lines of the log that cannot be read, the first in line ${unreadable.first}`, unreadable.lines] as const,
          [`lines that are not from the log of a mongod, the first is line ${foreign.first}`, foreign.lines] as const,
        ].filter(([, lines]) => lines > 0),
      ),
    nothing: () =>
      new Problem(
        'usage',
        `${log} has no slow operation (entries of a mongod: ${entriesSeen}; lines that cannot be read: ${unreadable.lines}; other lines: ${foreign.lines})`,
        {
          hint: isOlder
            ? 'This log is from a server before 4.4, so it is not JSON. Use a log from version 4.4 or later, or --from-profile.'
            : entriesSeen > 0
              ? 'db.setProfilingLevel(0, { slowms: 20 }) has the server log operations of 20 ms.'
              : 'Name the log of a mongod of version 4.4 or later, which has an object of JSON for each entry.',
        },
      ),
  }
}

function note(noted: { lines: number; first: number }, line: number): void {
  noted.first ||= line
  noted.lines += 1
}

async function* linesOf(log: string): AsyncGenerator<Line> {
  const { isGzip, kind, reason } = identifyFile(log)
  const unreadable = (why: string, cause?: unknown): Problem =>
    new Problem('recording-unreadable', `${log} ${why}`, {
      hint: 'Name the log of a mongod of version 4.4 or later.',
      cause,
    })
  if (kind === undefined && reason !== undefined) throw unreadable(reason)
  try {
    for await (const line of splitLines(openContent(log, statSync(log).size, isGzip), maxDocument)) {
      if (line.bytes === undefined)
        throw unreadable(`has more than 16 MB in line ${line.number}; of an array, jq -c '.[]' makes lines`)
      yield line
    }
  } catch (error) {
    throw error instanceof Problem ? error : unreadable(`cannot be read (${describeErrorCode(error)})`, error)
  }
}

/** The text of a line, without colours of a terminal. Latin-1 where it is no UTF-8: a byte that a server did not write is in a text. */
function decode({ bytes = Buffer.alloc(0) }: Line): string {
  return stripVTControlCharacters(decodeText(bytes) ?? bytes.toString('latin1'))
}

/** Reads the objects of a text up to its last brace, from its first one or from that of an entry. Undefined: none is JSON. */
function parse(text: string): unknown {
  for (const from of [text.indexOf('{'), text.search(mark)])
    try {
      if (from >= 0) return EJSON.parse(`[${text.slice(from, text.lastIndexOf('}') + 1)}]`, { relaxed: false })
    } catch {
      // What is before an entry may have braces too.
    }
  return undefined
}

/** Levels in which tools wrap what a server wrote: an array, their own fields, a text of JSON. */
const maxLevels = 5

/** Finds the slow operations in an object, in which a tool may have wrapped them. */
function* findEntries(value: unknown, levels: number): Generator<Document> {
  if (typeof value === 'string' && value.includes(slow)) yield* findEntries(parse(value), levels - 1)
  if (Array.isArray(value)) for (const item of value) yield* findEntries(item, levels)
  if (!isDocument(value) || levels === 0) return
  if (value['msg'] === slow) yield toEntry(value)
  else for (const item of Object.values(value)) yield* findEntries(item, levels - 1)
}

/** Converts an entry of a log to one of a profile, which has the same facts under other names. */
function toEntry({ t, attr = {}, truncated }: Document): Document {
  const { type, durationMillis, remote, reslen } = attr as Document
  const cut = truncated === undefined ? {} : { command: { $truncated: true } }
  return { ...attr, ts: t, op: type, millis: durationMillis, client: remote, responseLength: reslen, ...cut }
}
