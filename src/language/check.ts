import { isObject, type Json, type Path } from '../core/json.ts'
import { nearest } from '../core/nearest.ts'
import { interpret, type Interpretation } from './interpret.ts'
import { type Finding, suggestion } from './issues.ts'
import { type KeywordForm } from './parse.ts'
import { isWrapper, unwrap } from './values/extended-json.ts'

/** Place of a value, and what is known there. */
export type ValidationContext = {
  readonly path: Path
  /** Names that `@var` may read. Undefined before parameters are folded: any, and typed values may be incomplete. */
  readonly names: readonly string[] | undefined
  /** Checks a word of the surroundings, and its argument. */
  readonly keywordForm: (keywordForm: KeywordForm, context: ValidationContext) => void
  readonly report: (finding: Finding) => void
}

/** Reports whatever is wrong with the form of a value: arguments, unknown words and names, Extended JSON. */
export const check = (node: Json, context: ValidationContext): void => interpret(node, context, checking)

/** Checks the argument of a word as any other value. */
export const checkArgument = ({ keyword, argument }: KeywordForm, context: ValidationContext): void =>
  check(argument.node, checking.inside(context, keyword))

const checking: Interpretation<ValidationContext, void> = {
  inside: (context, step) => ({ ...context, path: [...context.path, step] }),
  part: check,
  constant: checkTyped,
  literal: (value, context) => checkLiteral(value, checking.inside(context, '@literal')),
  list: () => {},
  document(_values, { fields, stray }, context) {
    const { path, names, report } = context
    if (stray !== undefined) {
      const reason = `"${stray}" must be the only key of its object`
      report({ path: [...path, stray], reason, nearest: null, atKey: true })
    }
    const node = Object.fromEntries(fields.map((field) => [field.path[0], field.node]))
    if (names !== undefined) checkTyped(node, context)
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
  map: (_input, { as }, body, context) => body({ ...context, names: context.names && [...context.names, as] }),
  call: () => {},
  keyword: (form, context) => context.keywordForm(form, context),
  malformed({ reason, argument }, context) {
    // First what is inside: an issue hides those below it.
    check(argument.node, argument.path.reduce(checking.inside, { ...context, names: undefined }))
    context.report({ path: context.path, reason, nearest: null })
  },
}

function checkTyped(node: Json, { path, report }: ValidationContext): void {
  if (!isObject(node) || !isWrapper(node)) return
  try {
    unwrap(node)
  } catch (error) {
    const reason = `not valid Extended JSON: ${error instanceof Error ? error.message : String(error)}`
    report({ path, reason, nearest: null })
  }
}

/** Nothing is evaluated in a literal, but typed values are read. */
function checkLiteral(value: Json, context: ValidationContext): void {
  if (typeof value !== 'object' || value === null) return
  checkTyped(value, context)
  for (const [key, item] of Object.entries(value))
    checkLiteral(item, checking.inside(context, Array.isArray(value) ? Number(key) : key))
}
