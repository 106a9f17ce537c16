import { type Json, distinct } from '../../core/json.ts'

/** Collects what the user should know about a generated spec. */
export type Notes = {
  readonly add: (note: string) => void
  /** Adds the notes that are so. */
  readonly addThose: (differences: readonly (readonly [isSo: boolean, note: string])[]) => void
  /** Adds a note that comes before the others. */
  readonly lead: (note: string) => void
  /** Adds a note that comes after the others. */
  readonly trail: (note: string) => void
  /** Adds a field that is missing from the data or differs from the original. Fields are grouped by reason. */
  readonly leftOut: (reason: string, path: string) => void
  /** Adds real values that are copied into the spec. */
  readonly copied: (path: string, values: readonly Json[]) => void
  readonly lines: () => readonly string[]
  readonly copiedLines: () => readonly string[]
}

const maxNames = 10

export function createNotes(): Notes {
  const notes: string[] = []
  const last: string[] = []
  const byReason = new Map<string, Set<string>>()
  const values = new Map<string, readonly Json[]>()
  const add = (note: string): void => void (notes.includes(note) || notes.push(note))
  return {
    add,
    addThose: (differences) => differences.forEach(([isSo, note]) => isSo && add(note)),
    lead: (note) => void notes.unshift(note),
    trail: (note) => void last.push(note),
    leftOut(reason, path) {
      const paths = byReason.get(reason)
      if (paths) paths.add(path)
      else byReason.set(reason, new Set([path]))
    },
    copied(path, copied) {
      values.set(path, distinct([...(values.get(path) ?? []), ...copied]).slice(0, maxNames))
    },
    lines: () => [
      ...notes,
      ...[...byReason].map(([reason, paths]) => `Not as in the original (${reason}): ${names(paths)}.`),
      ...last,
    ],
    copiedLines: () =>
      [...values].map(([path, copied]) => `${path}: ${copied.map((value) => JSON.stringify(value)).join(', ')}`),
  }
}

/** The same notes with the collection as a prefix of every path, for specs of several collections. */
export const prefixNotes = (collection: string, notes: Notes): Notes => ({
  ...notes,
  leftOut: (reason, path) => notes.leftOut(reason, `${collection}.${path}`),
  copied: (path, values) => notes.copied(`${collection}.${path}`, values),
})

function names(paths: ReadonlySet<string>): string {
  const shown = [...paths].slice(0, maxNames)
  return `${shown.join(', ')}${paths.size > maxNames ? ` and ${paths.size - maxNames} more` : ''}`
}
