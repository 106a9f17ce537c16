import { type Note } from './notes.ts'
import { notesIn, type Table } from './tables.ts'

/** The numbered notes of a report. */
export type Footnotes = {
  /** "[1,3]" for the notes of a row, or an empty text. */
  readonly marker: (notes: readonly Note[]) => string
  /** The notes of a table, one line each. Notes of an earlier table are referenced. */
  readonly listFor: (table: Table) => readonly string[]
}

/** Number null: the note applies to every row, so that rows need no marker. */
type Entry = { readonly number: number | null; readonly text: string; readonly home: Table }

/** Numbers the notes of a report, so that each is explained once, however many rows and tables have it. */
export function footnotes(tables: readonly Table[]): Footnotes {
  const entries = new Map<string, Entry>()
  const common = kindsOfEveryRow(tables)
  let numbered = 0
  for (const table of tables) {
    for (const note of notesIn(table).flat()) {
      if (entries.has(note.kind)) continue
      const number = common.has(note.kind) ? null : ++numbered
      entries.set(note.kind, { number, text: textOf(note, table), home: table })
    }
  }
  const entriesOf = (notes: readonly Note[]): readonly Entry[] => {
    const found = new Set(notes.flatMap(({ kind }) => entries.get(kind) ?? []))
    return [...found].toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0))
  }
  return {
    marker: (notes) => mark(entriesOf(notes)),
    listFor: (table) => listOf(table, entriesOf(notesIn(table).flat())),
  }
}

/** Kinds of notes that every row has. Tables without notes are ignored. */
function kindsOfEveryRow(tables: readonly Table[]): ReadonlySet<string> {
  const rows = tables.map(notesIn).flatMap((notes) => (notes.flat().length > 0 ? notes : []))
  const [first = []] = rows
  const kinds = first.map(({ kind }) => kind)
  return new Set(kinds.filter((kind) => rows.every((notes) => notes.some((note) => note.kind === kind))))
}

function listOf(table: Table, entries: readonly Entry[]): readonly string[] {
  const own = entries.filter(({ home }) => home === table)
  const elsewhere = entries.filter(({ home, number }) => home !== table && number !== null)
  const homes = [...new Set(elsewhere.map(({ home }) => home.title))].join(', ')
  return [
    ...own.map((entry) => `- ${entry.number === null ? everyRow(table) : mark([entry])} ${entry.text}`),
    ...(elsewhere.length === 0 ? [] : [`- ${mark(elsewhere)} See under ${homes}.`]),
  ]
}

const everyRow = (table: Table): string => (notesIn(table).length === 1 ? 'The row:' : 'All rows:')

function mark(entries: readonly Entry[]): string {
  const numbers = entries.flatMap(({ number }) => number ?? [])
  return numbers.length === 0 ? '' : `[${numbers.join(',')}]`
}

/** The text of a note is that of its first row. If other rows have other figures, a sentence is added. */
function textOf({ kind, text }: Note, table: Table): string {
  const texts = new Set(
    notesIn(table)
      .flat()
      .filter((note) => note.kind === kind)
      .map((note) => note.text),
  )
  return texts.size > 1 ? `${text} (The figures are those of the first marked row.)` : text
}
