import { isObject, type Json, type Path } from '../core/json.ts'
import { nearest } from '../core/nearest.ts'
import { interpret, type Interpretation } from './interpret.ts'
import { suggestion } from './issues.ts'
import { type Word } from './parse.ts'
import { isWrapper, unwrap } from './values/extended-json.ts'

/** What is wrong with the form of a value. */
export type Finding = {
  readonly path: Path
  readonly reason: string
  /** The most similar valid name. */
  readonly nearest: string | null
  /** Whether the key is wrong, not its value. */
  readonly atKey?: boolean
}

/** Where a value stands, and what is known there. */
export type Place = {
  readonly path: Path
  /** Names that `@var` may read. Undefined before parameters are folded: any, and typed values may be incomplete. */
  readonly names: readonly string[] | undefined
  /** Checks a word of the surroundings, and its argument. */
  readonly word: (word: Word, place: Place) => void
  readonly report: (finding: Finding) => void
}

/** Reports whatever is wrong with the form of a value: arguments, unknown words and names, Extended JSON. */
export const check = (node: Json, place: Place): void => interpret(node, place, checking)

/** Checks the argument of a word as any other value. */
export const checkArgument = ({ keyword, argument }: Word, place: Place): void =>
  check(argument.node, checking.inside(place, keyword))

const checking: Interpretation<Place, void> = {
  inside: (place, step) => ({ ...place, path: [...place.path, step] }),
  part: check,
  constant: checkTyped,
  literal: (value, place) => checkLiteral(value, checking.inside(place, '@literal')),
  list: () => {},
  document(_values, { fields, stray }, place) {
    const { path, names, report } = place
    if (stray !== undefined) {
      const reason = `"${stray}" must be the only key of its object`
      report({ path: [...path, stray], reason, nearest: null, atKey: true })
    }
    const node = Object.fromEntries(fields.map((field) => [field.path[0], field.node]))
    if (names !== undefined) checkTyped(node, place)
  },
  parameter: () => {},
  variable({ name }, { path, names, report }) {
    if (names === undefined || names.includes(name)) return
    const near = nearest(name, names) ?? null
    const known = near === null ? suggestion(name, names) : ''
    report({ path, reason: `there is no variable "${name}" here${known}`, nearest: near })
  },
  condition(_test, ifTrue, ifFalse) {
    ifTrue()
    ifFalse()
  },
  map: (_input, { as }, body, place) => body({ ...place, names: place.names && [...place.names, as] }),
  call: () => {},
  keyword: (form, place) => place.word(form, place),
  malformed({ reason, argument }, place) {
    // First what is inside: an issue hides those below it.
    check(argument.node, argument.path.reduce(checking.inside, { ...place, names: undefined }))
    place.report({ path: place.path, reason, nearest: null })
  },
}

function checkTyped(node: Json, { path, report }: Place): void {
  if (!isObject(node) || !isWrapper(node)) return
  try {
    unwrap(node)
  } catch (error) {
    const reason = `not valid Extended JSON: ${error instanceof Error ? error.message : String(error)}`
    report({ path, reason, nearest: null })
  }
}

/** Nothing is evaluated in a literal, but typed values are read. */
function checkLiteral(value: Json, place: Place): void {
  if (typeof value !== 'object' || value === null) return
  checkTyped(value, place)
  for (const [key, item] of Object.entries(value))
    checkLiteral(item, checking.inside(place, Array.isArray(value) ? Number(key) : key))
}
