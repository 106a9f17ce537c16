import { type Note } from './notes.ts'
import { type Table } from './tables.ts'

export type Footnotes = {
  /** "[1,3]" for the notes of a row, or nothing. */
  readonly marker: (notes: readonly Note[]) => string
  /** The notes that a table brings up, one line each; those of an earlier table are only pointed to. */
  readonly listFor: (table: Table) => readonly string[]
}

type Entry = { readonly number: number; readonly text: string; readonly home: Table }

/** Numbers the notes of a whole report, so that one doubt is explained once however many rows and tables it touches. */
export function footnotes(tables: readonly Table[]): Footnotes {
  const entries = new Map<string, Entry>()
  for (const table of tables) {
    for (const note of table.rows.flatMap(({ notes }) => notes)) {
      if (!entries.has(note.kind))
        entries.set(note.kind, { number: entries.size + 1, text: textOf(note, table), home: table })
    }
  }
  const entriesOf = (notes: readonly Note[]): readonly Entry[] => {
    const found = new Set(notes.flatMap(({ kind }) => entries.get(kind) ?? []))
    return [...found].toSorted((a, b) => a.number - b.number)
  }
  return {
    marker: (notes) => mark(entriesOf(notes)),
    listFor: (table) => listOf(table, entriesOf(table.rows.flatMap(({ notes }) => notes))),
  }
}

function listOf(table: Table, entries: readonly Entry[]): readonly string[] {
  const own = entries.filter(({ home }) => home === table)
  const elsewhere = entries.filter(({ home }) => home !== table)
  const homes = [...new Set(elsewhere.map(({ home }) => home.title))].join(', ')
  return [
    ...own.map((entry) => `- ${mark([entry])} ${entry.text}`),
    ...(elsewhere.length === 0 ? [] : [`- ${mark(elsewhere)} See under ${homes}.`]),
  ]
}

function mark(entries: readonly Entry[]): string {
  return entries.length === 0 ? '' : `[${entries.map(({ number }) => number).join(',')}]`
}

/** Rows in the same kind of doubt share the words of the first; where theirs differ, only in figures, that is said. */
function textOf({ kind, text }: Note, { rows }: Table): string {
  const texts = new Set(
    rows.flatMap(({ notes }) => notes.filter((note) => note.kind === kind).map((note) => note.text)),
  )
  return texts.size > 1 ? `${text} (The figures are those of the first row so marked.)` : text
}
