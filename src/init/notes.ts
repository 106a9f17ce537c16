import { type Json } from '../json.ts'

/** What people should know of a spec that was made for them. */
export type Notes = {
  readonly add: (note: string) => void
  /** Fields that are not in the data, or not as they were, by the reason. */
  readonly leftOut: (reason: string, path: string) => void
  /** Real values that stand in the spec. */
  readonly copied: (path: string, values: readonly Json[]) => void
  readonly lines: () => readonly string[]
  readonly copiedLines: () => readonly string[]
}

const maxNames = 10

export function createNotes(): Notes {
  const notes: string[] = []
  const byReason = new Map<string, Set<string>>()
  const values = new Map<string, readonly Json[]>()
  return {
    add: (note) => void (notes.includes(note) || notes.push(note)),
    leftOut(reason, path) {
      const paths = byReason.get(reason)
      if (paths) paths.add(path)
      else byReason.set(reason, new Set([path]))
    },
    copied: (path, copied) => void values.set(path, copied),
    lines: () => [
      ...notes,
      ...[...byReason].map(([reason, paths]) => `Not as in the original (${reason}): ${names(paths)}.`),
    ],
    copiedLines: () =>
      [...values].map(([path, copied]) => `${path}: ${copied.map((value) => JSON.stringify(value)).join(', ')}`),
  }
}

/** The same notes, with the collection in front of every path: where there are several. */
export const notesOf = (collection: string, notes: Notes): Notes => ({
  ...notes,
  leftOut: (reason, path) => notes.leftOut(reason, `${collection}.${path}`),
  copied: (path, values) => notes.copied(`${collection}.${path}`, values),
})

function names(paths: ReadonlySet<string>): string {
  const shown = [...paths].slice(0, maxNames)
  return `${shown.join(', ')}${paths.size > maxNames ? ` and ${paths.size - maxNames} more` : ''}`
}
