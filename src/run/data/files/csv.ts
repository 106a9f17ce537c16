import { Decimal128, ObjectId, UUID } from 'bson'
import { Problem } from '../../../core/errors.ts'
import { suggestion } from '../../../language/issues.ts'
import { asDouble, byValue, isInt32 } from '../../../language/values/bson-types.ts'
import { isUsableKey } from '../../../language/values/keys.ts'
import type { ColumnType } from '../../../spec/schema/data-file-kinds.ts'
import type { Content } from './content.ts'
import { type Documents, createDocuments, maxDocument, readable } from './documents.ts'
import { decodeText, notUtf8 } from './json.ts'
import { type Line, splitLines } from './read-lines.ts'

const wholeNumber = /^[+-]?\d{1,19}$/
const anyNumber = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const trueTexts: ReadonlySet<string> = new Set(['true', '1', 't', 'yes'])
const falseTexts: ReadonlySet<string> = new Set(['false', '0', 'f', 'no'])

/** How each type reads a text. Undefined: it is no value of the type. */
const readers: Readonly<Record<ColumnType, (text: string) => unknown>> = {
  auto: (text) => (wholeNumber.test(text) ? byValue(BigInt(unsigned(text))) : (readDouble(text) ?? text)),
  string: (text) => text,
  int: (text) => (wholeNumber.test(text) && isInt32(Number(text)) ? Number(text) : undefined),
  long: readLong,
  double: readDouble,
  decimal: (text) => (anyNumber.test(text) ? Decimal128.fromStringWithRounding(text) : undefined),
  boolean(text) {
    const lower = text.toLowerCase()
    return trueTexts.has(lower) ? true : falseTexts.has(lower) ? false : undefined
  },
  date: readDate,
  objectId: (text) => (/^[0-9a-f]{24}$/i.test(text) ? ObjectId.createFromHexString(text) : undefined),
  uuid: (text) => (UUID.isValid(text) ? UUID.createFromHexString(text) : undefined),
  skip: () => undefined,
}

/** `BigInt` takes no plus sign. */
const unsigned = (text: string): string => text.replace(/^\+/, '')

function readLong(text: string): bigint | undefined {
  const value = wholeNumber.test(text) ? BigInt(unsigned(text)) : undefined
  return value !== undefined && BigInt.asIntN(64, value) === value ? value : undefined
}

function readDouble(text: string): unknown {
  return anyNumber.test(text) ? asDouble(Number(text)) : undefined
}

/** A date in ISO 8601, in UTC where it names no zone, or milliseconds since 1970. */
function readDate(text: string): Date | undefined {
  const iso = /^(\d{4}-\d\d-\d\d)([T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(text)
  const [, day, , time = '00:00', zone = 'Z'] = iso ?? []
  const date = iso ? new Date(`${day}T${time}${zone}`) : /^-?\d{1,16}$/.test(text) ? new Date(Number(text)) : undefined
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date
}

/** A field that is written as a document has it: by its steps, in the type of its column. */
type Column = { readonly steps: readonly string[]; readonly name: string; readonly type: ColumnType }

/** The fields of a record, and the number of its first line. */
type CsvRecord = { readonly number: number; readonly fields: readonly string[] }

/**
 * The documents of a file whose first line names the fields (RFC 4180), with a comma, a semicolon or a tab between them.
 * @param types Types of columns by name. Others are numbers where they look like numbers, and texts.
 * @throws {Problem} at the first line that is no record, with its number.
 */
export function readCsv(file: string, content: Content, types: Readonly<Record<string, ColumnType>> = {}): Documents {
  let columns: readonly Column[] | undefined
  const records = readRecords(file, readable(file, splitLines(content, maxDocument)))
  return createDocuments(records, ({ number, fields }, out) => {
    if (columns === undefined) {
      columns = readHeader(file, fields, types)
      return false
    }
    if (fields.length > columns.length)
      throw broken(file, number, `has ${fields.length} fields, and the first line names ${columns.length}`)
    const document = Object.create(null) as Record<string, unknown>
    for (const [i, text] of fields.entries()) put(document, columns[i] as Column, text, file, number)
    out.document(document)
    return true
  })
}

const aboutFile = 'A CSV file of data names its fields in the first line, as mongoexport --type=csv writes it.'
const aboutTypes = 'Correct the line, or the type of the column in "columns" of the spec.'

const broken = (file: string, line: number, reason: string, hint = aboutFile): Problem =>
  new Problem('spec-invalid', `${file}:${line}: the line ${reason}`, { hint })

function readHeader(
  file: string,
  names: readonly string[],
  types: Readonly<Record<string, ColumnType>>,
): readonly Column[] {
  const unknown = Object.keys(types).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw broken(
      file,
      1,
      `names no column "${unknown}", which "columns" gives a type${suggestion(unknown, names)}`,
      aboutTypes,
    )
  const seen = new Set<string>()
  return names.map((name) => {
    const steps = name.split('.')
    if (!steps.every((step) => step !== '' && !step.startsWith('$') && isUsableKey(step)))
      throw broken(file, 1, `has the column ${JSON.stringify(name)}, which no field can have as its name`)
    const isTaken = [...seen].some((other) => `${other}.`.startsWith(`${name}.`) || `${name}.`.startsWith(`${other}.`))
    if (isTaken) throw broken(file, 1, `has the column ${JSON.stringify(name)} twice, or a column inside of it`)
    seen.add(name)
    return { steps, name, type: types[name] ?? 'auto' }
  })
}

function put(document: Record<string, unknown>, column: Column, text: string, file: string, line: number): void {
  const { steps, name, type } = column
  const value = readers[type](text)
  if (value === undefined) {
    // An empty field of a column with a type is no field.
    if (text === '' || type === 'skip') return
    throw broken(file, line, `has no ${type} in the column "${name}"`, aboutTypes)
  }
  let inner = document
  for (const step of steps.slice(0, -1)) inner = (inner[step] ??= Object.create(null)) as Record<string, unknown>
  inner[steps.at(-1) as string] = value
}

/**
 * Records of lines: a field in quotation marks may go over several of them. Lines with nothing in them are passed over.
 * (`csv-parse` halves the speed of a load, reads bytes that are not UTF-8 and a mix of CRLF and LF wrongly without a word, and
 * names the last line for a quotation mark that is not closed.)
 */
async function* readRecords(file: string, lines: AsyncGenerator<Line, void>): AsyncGenerator<CsvRecord, void> {
  let separator: string | undefined
  let record: Unfinished | undefined
  try {
    for await (const line of lines) {
      const { number, text, size } = decodeLine(file, line)
      if (record === undefined && text.trim() === '') continue
      separator ??= findSeparator(text)
      record ??= { number, length: 0, fields: [], parts: [], isOpen: false }
      record.length += size + 1
      if (record.length > maxDocument) throw broken(file, record.number, 'opens a quotation mark and goes on for 16 MB')
      readFields(record, text, separator)
      if (record.isOpen) continue
      yield record
      record = undefined
    }
    if (record !== undefined) throw broken(file, record.number, 'opens a quotation mark that is not closed')
  } finally {
    await lines.return()
  }
}

function decodeLine(file: string, { number, bytes }: Line) {
  if (bytes === undefined) throw broken(file, number, 'is longer than 16 MB')
  const text = decodeText(bytes)
  if (text === undefined) throw broken(file, number, notUtf8)
  return { number, text, size: bytes.length }
}

/** The separator that the first line has most of. */
const findSeparator = (header: string): string =>
  [',', ';', '\t'].toSorted((a, b) => header.split(b).length - header.split(a).length)[0] as string

/** A record, as far as its lines have been read. */
type Unfinished = {
  readonly number: number
  /** Bytes of its lines. */
  length: number
  fields: string[]
  /** The text of its last field, and whether the quotation mark before it is not closed. */
  parts: string[]
  isOpen: boolean
}

/** Reads the fields of a line, of which the first one may have begun in the line before. */
function readFields(record: Unfinished, line: string, separator: string): void {
  const end = line.endsWith('\r') ? line.length - 1 : line.length
  if (!record.isOpen && !line.includes('"')) {
    record.fields = line.slice(0, end).split(separator)
    return
  }
  for (let at = 0, next = 0; next >= 0; at = next + 1) {
    if (record.isOpen) at = readQuoted(record, line, at)
    else if (line[at] === '"') at = readQuoted(record, line, at + 1)
    if (record.isOpen) return
    next = line.indexOf(separator, at)
    record.fields.push(record.parts.join('') + line.slice(at, next < 0 ? end : next))
    record.parts = []
  }
}

/** Reads on behind a quotation mark to the one that closes it; two stand for one. @returns the index behind it. */
function readQuoted(record: Unfinished, line: string, from: number): number {
  for (let at = from; ;) {
    const quote = line.indexOf('"', at)
    record.isOpen = quote < 0
    if (quote < 0) {
      record.parts.push(line.slice(at), '\n')
      return line.length
    }
    const isDoubled = line[quote + 1] === '"'
    record.parts.push(line.slice(at, isDoubled ? quote + 1 : quote))
    if (!isDoubled) return quote + 1
    at = quote + 2
  }
}
