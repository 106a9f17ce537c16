import { isObject, type Json, type JsonObject, type Path } from '../json.ts'
import { Problem } from '../errors.ts'
import { memberOf } from '../values/bson-types.ts'
import { isWithinBounds, mostValues } from './bounds.ts'
import { fold, type FoldContext, newBudget, type Origins, sourcePath, type Written } from './fold.ts'
import { asExpression, isUnresolved } from './expression.ts'
import { type Issue, type Issues, suggestion } from './issues.ts'
import { Parameters } from './parameters.ts'
import { deepestSpec } from './parse-json.ts'
import { prune } from './prune.ts'
import { findingsOf } from './reasons.ts'
import { checkNames, scan } from './scan.ts'
import { type Spec, specSchema } from './schema.ts'
import { expandVariants, type Row } from './variants.ts'

/** What the command line changes about a spec. */
export type Overrides = {
  readonly profile?: string | undefined
  readonly set?: Readonly<Record<string, Json>> | undefined
  /** Rows to run: "name=value" or a label. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Run on a server that exists, whatever target the spec names. */
  readonly existing?: boolean | undefined
}

export type ParameterValue = { readonly value: Json; readonly label?: string | undefined }

/** One row, folded and checked. */
export type SpecRow = {
  readonly index: number
  readonly label: string
  readonly parameters: ReadonlyMap<string, ParameterValue>
  readonly varied: readonly string[]
  readonly spec: Spec
  /** Where a place in this row's folded spec was written: its value, or its key. */
  readonly source: (path: Path, atKey?: boolean) => Path
}

/** Reads the rows out of a parsed spec. Whatever is wrong goes to `issues`; rows that are wrong are left out. */
export function readRows(root: Json, overrides: Overrides, issues: Issues): readonly SpecRow[] {
  if (!isObject(root)) {
    issues.add({ path: [], reason: 'a spec is an object' })
    return []
  }
  const scanned = scan(root, overrides.set ?? {}, issues)
  const definitions = defineParameters(root, overrides, issues)
  // A name that nothing knows is the better reason, so it is looked for first.
  const found: Issue[] = []
  const report = (path: Path, reason: string): void => void found.push({ path, reason })
  const parameters = new Parameters(definitions)
  const rows = expandVariants(root['variants'], { parameters, origins: new WeakMap(), report, budget: newBudget() })
  const varied = [...new Set(rows.flatMap((row) => [...row.choices.keys()]))]
  refuseSetOfVaried(overrides, varied, definitions)
  // Without rows the names of what varies are not known either.
  if (rows.length > 0) checkNames(scanned, declaredNames(root, rows), issues)
  for (const issue of found) issues.add(issue)
  return choose(rows, overrides.only).flatMap((row) => readRow(root, row, parameters, issues) ?? [])
}

function defineParameters(root: JsonObject, overrides: Overrides, issues: Issues): ReadonlyMap<string, Written> {
  const parameters = namedValues(root, ['parameters'], issues)
  const profiles = namedValues(root, ['profiles'], issues)
  const { profile, set = {} } = overrides
  const definitions = new Map<string, Written>(
    Object.entries(parameters).map(([name, node]) => [name, { node, path: ['parameters', name] }]),
  )
  for (const profileName of Object.keys(profiles)) {
    for (const [name, node] of Object.entries(namedValues(root, ['profiles', profileName], issues))) {
      const path = ['profiles', profileName, name]
      const reason = `there is no parameter "${name}"${suggestion(name, Object.keys(parameters))}`
      if (!definitions.has(name)) issues.add({ path, atKey: true, unknownWord: true, reason })
      else if (profileName === profile) definitions.set(name, { node, path })
    }
  }
  if (profile !== undefined && !Object.hasOwn(profiles, profile)) {
    throw new Problem('usage', `There is no profile "${profile}"${suggestion(profile, Object.keys(profiles))}`, {
      hint: 'The profiles of a spec are the keys of its "profiles".',
    })
  }
  for (const [name, node] of Object.entries(set))
    if (definitions.has(name)) definitions.set(name, { node, path: ['parameters', name] })
  return definitions
}

/** An object of values by name. These parts are read here and not by the schema, for they are gone when a row is made. */
function namedValues(root: JsonObject, path: readonly string[], issues: Issues): JsonObject {
  const node = path.reduce<Json>((at, key) => (at as JsonObject)[key] ?? null, root)
  if (isObject(node)) return node
  if (node !== null) issues.add({ path, reason: 'must be an object: values by the names of parameters' })
  return {}
}

function refuseSetOfVaried(
  { set = {} }: Overrides,
  varied: readonly string[],
  definitions: ReadonlyMap<string, Written>,
): void {
  for (const name of Object.keys(set)) {
    if (varied.includes(name))
      throw new Problem('usage', `--set cannot change "${name}": it varies from row to row`, {
        hint: `Choose rows with --only "${name}=…".`,
      })
    if (!definitions.has(name))
      throw new Problem('usage', `There is no parameter "${name}" to set${suggestion(name, definitions.keys())}`, {
        hint: 'The parameters of a spec are the keys of its "parameters".',
      })
  }
}

/** Names that something must use, with the place where each is declared. */
function declaredNames(root: JsonObject, rows: readonly Row[]): ReadonlyMap<string, Path> {
  const { parameters, variants } = root
  const declared = new Map<string, Path>()
  const declare = (name: string, path: Path): void => void (declared.has(name) || declared.set(name, path))
  for (const name of isObject(parameters) ? Object.keys(parameters) : []) declare(name, ['parameters', name])
  for (const { choices } of rows) {
    for (const [name, { value, label }] of choices) {
      const isWrittenThere = isObject(variants) && Object.hasOwn(variants, name)
      declare(name, isWrittenThere ? ['variants', name] : label === undefined ? value.path : value.path.slice(0, -1))
    }
  }
  return declared
}

function choose(rows: readonly Row[], only: readonly string[] | undefined): readonly Row[] {
  if (only === undefined || only.length === 0) return rows
  const chosen = rows.filter((row) => only.every((wanted) => matches(row, wanted)))
  if (chosen.length > 0 || rows.length === 0) return chosen
  const labels = rows
    .slice(0, 20)
    .map((row) => `"${row.label}"`)
    .join(', ')
  throw new Problem('usage', `No row matches ${only.map((wanted) => `"${wanted}"`).join(' and ')}`, {
    hint: `Rows: ${labels}${rows.length > 20 ? ', …' : ''}`,
  })
}

function matches(row: Row, wanted: string): boolean {
  if (row.label === wanted) return true
  const cut = wanted.indexOf('=')
  const choice = cut === -1 ? undefined : row.choices.get(wanted.slice(0, cut))
  const value = wanted.slice(cut + 1)
  if (choice === undefined) return false
  return choice.label === value || choice.shown === value || JSON.stringify(choice.shown) === value
}

/** Keys that say something about the spec as a whole: they are read as written, for no row changes them. */
const unfolded = new Set(['$schema', 'name', 'seed', 'repeat'])
/** Keys that have done their work when the rows are known. */
const consumed = new Set(['parameters', 'profiles', 'variants'])

function readRow(root: JsonObject, row: Row, parameters: Parameters, issues: Issues): SpecRow | undefined {
  const origins: Origins = new WeakMap()
  let wrong = false
  const report = (path: Path, reason: string, atKey?: boolean): void => {
    wrong = true
    issues.add({ path, reason, atKey })
  }
  const choices = new Map([...row.choices].map(([name, { value }]) => [name, value]))
  const context: FoldContext = { parameters: parameters.with(choices), origins, report, budget: newBudget() }
  const folded = foldBody(root, context)
  const reportFolded = (path: Path, reason: string): void => report(sourcePath(folded, path, origins), reason)
  const pruned = prune(specSchema, folded, { origins, report: reportFolded })
  const source: SpecRow['source'] = (path, atKey) => {
    const written = asWritten(pruned, path)
    // The value of a key may have come from elsewhere; the key itself stands where its object does.
    const keys = atKey ? written.slice(-1) : []
    return [...sourcePath(pruned, atKey ? written.slice(0, -1) : written, origins), ...keys]
  }
  const { data, findings } = findingsOf(specSchema, pruned)
  for (const { path, reason, atKey } of findings)
    if (atKey || !isEcho(pruned, path)) report(source(path, atKey), reasonAt(pruned, path, reason), atKey)
  if (wrong) return undefined
  return {
    index: row.index,
    label: row.label,
    parameters: parameterValues(row, context),
    varied: [...row.choices.keys()],
    spec: data as Spec,
    source,
  }
}

const nodeAt = (spec: Json, path: Path): Json =>
  path.reduce<Json>((node, step) => (memberOf(node, String(step)) ?? null) as Json, spec)

const isReadAsWritten = ([key]: Path): boolean => unfolded.has(String(key))

/** Whether a finding only comes of something that could not be folded, which has been reported. */
const isEcho = (spec: Json, path: Path): boolean => !isReadAsWritten(path) && isUnresolved(nodeAt(spec, path))

const reasonAt = (spec: Json, path: Path, reason: string): string =>
  isReadAsWritten(path) && asExpression(nodeAt(spec, path))
    ? 'is read as written: no expression may stand here'
    : reason

/** One data set is read as a list of one. */
function asWritten(spec: Json, path: Path): Path {
  const isOne = path[0] === 'data' && typeof path[1] === 'number' && isObject(spec) && !Array.isArray(spec['data'])
  return isOne ? ['data', ...path.slice(2)] : path
}

function foldBody(root: JsonObject, context: FoldContext): Json {
  const body = Object.entries(root).filter(([key]) => !consumed.has(key))
  const written = Object.fromEntries(body.filter(([key]) => !unfolded.has(key)))
  const { node } = fold({ node: written, path: [] }, context)
  if (!isObject(node) || !isWithinBounds(node)) {
    context.report([], `unfolds to more than ${mostValues} values, or deeper than ${deepestSpec} levels`)
    return {}
  }
  const folded = { ...Object.fromEntries(body), ...node }
  context.origins.set(folded, context.origins.get(node) ?? new Map())
  return folded
}

function parameterValues(row: Row, context: FoldContext): ReadonlyMap<string, ParameterValue> {
  const values = [...context.parameters.all(context)].map(([name, value]): [string, ParameterValue] => {
    const label = row.choices.get(name)?.label
    return [name, label === undefined ? { value } : { value, label }]
  })
  return new Map(row.label === '' ? values : [...values, ['label', { value: row.label }]])
}
