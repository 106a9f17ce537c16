import { isObject, type Json, type JsonObject, listParts, type Path } from '../../core/json.ts'
import { check, checkArgument, type ValidationContext } from '../../language/check.ts'
import { asExpression, forms, isReportKeyword, reportKeywords } from '../../language/expression.ts'
import { functions } from '../../language/functions/index.ts'
import { generators } from '../../language/generators/index.ts'
import { type Issues, suggestion } from '../../language/issues.ts'
import { type GuardedKey, isGuarded, isInternal } from '../../language/values/keys.ts'
import { type Written } from './fold-context.ts'
import { type Combination } from './variants.ts'

/** All keywords of expressions outside of the report. */
const knownKeywords: readonly string[] = [...forms, ...functions, ...generators].map(({ keyword }) => keyword)

/** Parameters and keywords that the text of a spec uses. */
export type Scan = {
  /** Names of parameters that are used, each with its paths. */
  readonly used: ReadonlyMap<string, readonly Path[]>
  /** Keywords that need an opt-in, with the places where they stand. */
  readonly guarded: ReadonlyMap<GuardedKey, readonly Path[]>
}

/**
 * Scans a spec before anything is evaluated: checks the form of its expressions, and collects the parameters that are used.
 * @param settings What the command line sets.
 */
export function scan(spec: Json, settings: readonly Written[], issues: Issues): Scan {
  const used = new Map<string, Path[]>()
  const guarded = new Map<GuardedKey, Path[]>()
  const use = (dotted: string, path: Path): void => note(used, dotted.split('.')[0] ?? '', path)
  const noteGuarded = (node: object, path: Path): void => {
    for (const key of Object.keys(node)) {
      const at = [...path, key]
      if (isGuarded(key)) note(guarded, key, at)
      if (!isInternal(key)) continue
      const reason = `"${key}" is refused: it is reserved for messages between servers`
      issues.add({ code: 'allow', path: at, atKey: true, refused: true, reason })
    }
  }

  /** Guarded keys of a literal are all that is noted: it holds no expressions. */
  function visit(node: Json, path: Path, inLiteral = false): void {
    const { keyword, argument } = (!inLiteral && asExpression(node)) || {}
    if (keyword === '@param' && typeof argument === 'string') use(argument, [...path, keyword])
    if (isObject(node)) noteGuarded(node, path)
    const isLiteral = inLiteral || keyword === '@literal'
    for (const [step, part] of listParts(node)) {
      if (path[0] === 'report' && !isLiteral) visitInReport(step, part, [...path, step])
      visit(part, [...path, step], isLiteral)
    }
  }

  /** A column or an axis may show a parameter; a column or an expression may select another row by its parameters. */
  function visitInReport(step: string | number, part: Json, path: Path): void {
    if (step === 'parameter' && typeof part === 'string') use(part, path)
    if (step === 'at' && isObject(part)) for (const name of Object.keys(part)) use(name, [...path, name])
  }

  const read = (node: Json, path: Path): void => {
    checkText(node, path, issues)
    visit(node, path)
  }
  read(spec, [])
  for (const { node, path } of settings) read(node, path)
  return { used, guarded }
}

function note<Name>(places: Map<Name, Path[]>, name: Name, path: Path): void {
  const known = places.get(name)
  if (known) known.push(path)
  else places.set(name, [path])
}

/** Checks the form of all expressions before they are folded, so that no condition can hide an issue. */
function checkText(node: Json, path: Path, issues: Issues): void {
  const report: ValidationContext['report'] = (finding) => issues.add({ code: 'values', ...finding })
  check(node, { path, names: undefined, report, keywordForm: validateKeyword(issues) })
}

const validateKeyword =
  (issues: Issues): ValidationContext['keywordForm'] =>
  (form, context) => {
    if (issues.isFull) return
    const reason = unknownKeyword(form.keyword, context.path[0] === 'report')
    if (reason === undefined) return checkArgument(form, context)
    issues.add({ code: 'values', path: [...context.path, form.keyword], atKey: true, reason })
  }

function unknownKeyword(keyword: string, inReport: boolean): string | undefined {
  if (isReportKeyword(keyword))
    return inReport ? undefined : `"${keyword}" works only in "report": it reads what was measured`
  if (knownKeywords.includes(keyword)) return undefined
  const keywords = inReport ? [...knownKeywords, ...reportKeywords.map((entry) => entry.keyword)] : knownKeywords
  return `unknown keyword "${keyword}"${suggestion(keyword, keywords)}`
}

/** Names of all parameters, each with the path of its declaration: each must be used somewhere. */
function declaredNames(root: JsonObject, combinations: readonly Combination[]): ReadonlyMap<string, Path> {
  const { parameters, variants } = root
  const declared = new Map<string, Path>()
  const declare = (name: string, path: Path): void => void (declared.has(name) || declared.set(name, path))
  for (const name of isObject(parameters) ? Object.keys(parameters) : []) declare(name, ['parameters', name])
  for (const { given } of combinations) {
    for (const [name, { value, label }] of given) {
      const isWrittenThere = isObject(variants) && Object.hasOwn(variants, name)
      declare(name, isWrittenThere ? ['variants', name] : label === undefined ? value.path : value.path.slice(0, -1))
    }
  }
  return declared
}

/** Reports parameters that are missing or unused, by the text of the spec, so that no condition can hide them. */
export function validateNames(
  scanned: Scan,
  root: JsonObject,
  combinations: readonly Combination[],
  issues: Issues,
): void {
  const declared = declaredNames(root, combinations)
  for (const [name, places] of scanned.used) {
    if (declared.has(name)) continue
    const reason = `there is no parameter "${name}"${suggestion(name, declared.keys())}`
    // Reports read the label of a row under this name.
    const missing = places.filter((path) => !(name === 'label' && path[0] === 'report'))
    for (const path of missing) issues.add({ code: 'parameters', path, reason })
  }
  for (const [name, path] of declared)
    if (!scanned.used.has(name))
      issues.add({ code: 'parameters', path, atKey: true, reason: `nothing uses the parameter "${name}"` })
}
