import { type Note } from './notes.ts'
import { notesIn, type Table } from './tables.ts'

export type Footnotes = {
  /** "[1,3]" for the notes of a row, or nothing. */
  readonly marker: (notes: readonly Note[]) => string
  /** The notes that a table brings up, one line each; those of an earlier table are only pointed to. */
  readonly listFor: (table: Table) => readonly string[]
}

/** A number of null: what holds for every row needs no mark in each of them. */
type Entry = { readonly number: number | null; readonly text: string; readonly home: Table }

/** Numbers the notes of a whole report, so that one doubt is explained once however many rows and tables it touches. */
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

/** Tables that show one row in all bear no notes and have no say. */
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

/** Rows in the same kind of doubt share the words of the first; where theirs differ, only in figures, that is said. */
function textOf({ kind, text }: Note, table: Table): string {
  const texts = new Set(
    notesIn(table)
      .flat()
      .filter((note) => note.kind === kind)
      .map((note) => note.text),
  )
  return texts.size > 1 ? `${text} (The figures are those of the first row so marked.)` : text
}
