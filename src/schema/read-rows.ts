import { isObject, type Json, type JsonObject, type Path } from '../json.ts'
import { memberOf } from '../values/bson-types.ts'
import { chooseRows } from './choose-rows.ts'
import { declaredNames, defineParameters, refuseSetOfVaried } from './definitions.ts'
import { asExpression, isUnresolved } from '../language/expression.ts'
import { fold } from './fold.ts'
import { type Origins } from '../language/origins.ts'
import { FoldBudget } from './fold-budget.ts'
import { type FoldContext, sourcePath } from './fold-context.ts'
import { type Issue, type Issues } from '../language/issues.ts'
import { type Overrides } from './overrides.ts'
import { Parameters } from './parameters.ts'
import { prune } from '../language/prune.ts'
import { findingsOf } from '../language/reasons.ts'
import { unlessInvalid } from '../language/invalid-part.ts'
import { reportExpressions } from './report-expressions.ts'
import { validateOptIns } from './opt-in.ts'
import { validateNames, scan } from './scan.ts'
import { type Spec, specSchema, type WrittenSpec } from './schema.ts'
import { expandVariants, type Row, toRow } from './variants.ts'
import { keepWhere } from './where.ts'

/** The value of a parameter in a row. */
export type ParameterValue = {
  readonly value: Json
  readonly label?: string | undefined
  /** Its position in the list of variants. */
  readonly choice?: number | undefined
}

/** One variant of a spec ("row"), folded and validated. */
export type SpecRow = {
  readonly index: number
  readonly label: string
  readonly parameters: ReadonlyMap<string, ParameterValue>
  readonly varied: readonly string[]
  readonly spec: Spec
  /** Why its servers have none of the limits that it does not require. Absent: they have them, or are not to be started yet. */
  readonly limitsNotKept?: string
  /** Converts a path in this row's folded spec to the path in the file. */
  readonly source: (path: Path, atKey?: boolean) => Path
}

/** Reads the rows of a parsed spec. Everything invalid is added to `issues`; invalid rows are left out. */
export function readRows(root: Json, overrides: Overrides, issues: Issues): readonly SpecRow[] {
  if (!isObject(root)) {
    issues.add({ path: [], reason: 'a spec is an object' })
    return []
  }
  const scanned = scan(root, overrides.set ?? {}, issues)
  validateOptIns(root, scanned.guarded, overrides, issues)
  const definitions = defineParameters(root, overrides, issues)
  // An unknown name explains more than its consequences, so names are validated first.
  const found: Issue[] = []
  const report = (path: Path, reason: string): void => void found.push({ path, reason })
  const parameters = new Parameters(definitions)
  const budget = new FoldBudget()
  const unfolding = { parameters, origins: new WeakMap(), report, budget }
  const combinations = unlessInvalid(() => expandVariants(root['variants'], unfolding), report) ?? []
  const keepAndNumber = (): readonly Row[] =>
    keepWhere(root, combinations, unfolding).map((combination, index) => toRow(combination, index, unfolding))
  const rows = unlessInvalid(keepAndNumber, report) ?? []
  const varied = [...new Set(combinations.flatMap(({ given }) => [...given.keys()]))]
  refuseSetOfVaried(overrides, varied, definitions)
  // Without combinations the names of varied parameters are not known either.
  if (combinations.length > 0) validateNames(scanned, declaredNames(root, combinations), issues)
  for (const issue of found) issues.add(issue)
  const chosen = chooseRows(rows, overrides.only)
  const reportTooLarge = (path: Path, reason: string): void => issues.add({ path, reason })
  const read = (): readonly SpecRow[] => chosen.flatMap((row) => readRow(root, row, parameters, budget, issues) ?? [])
  return unlessInvalid(read, reportTooLarge) ?? []
}

/** Keys of the spec as a whole: they are read as written because no row changes them. */
const unfolded = new Set(['$schema', 'name', 'seed', 'repeat', 'allow'])
/** Keys that define the rows, and are no part of them. */
const consumed = new Set(['parameters', 'profiles', 'variants', 'where'])

function readRow(
  root: JsonObject,
  row: Row,
  parameters: Parameters,
  budget: FoldBudget,
  issues: Issues,
): SpecRow | undefined {
  const origins: Origins = new WeakMap()
  let wrong = false
  const report = (path: Path, reason: string, atKey?: boolean): void => {
    wrong = true
    issues.add({ path, reason, atKey })
  }
  const choices = new Map([...row.choices].map(([name, { value }]) => [name, value]))
  const context: FoldContext = {
    parameters: parameters.with(choices),
    origins,
    report,
    unfolded: reportExpressions(root['report']),
    budget,
  }
  const folded = foldBody(root, context)
  const reportFolded = (path: Path, reason: string): void => report(sourcePath(folded, path, origins), reason)
  const pruned = prune(specSchema, folded, { origins, report: reportFolded })
  const source: SpecRow['source'] = (path, atKey) => {
    const written = asWritten(pruned, path)
    // The value of a key may come from elsewhere in the file; the key itself belongs to its object.
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
    spec: withEngines(data as WrittenSpec),
    source,
  }
}

/** Gives each phase its engine, at the same position among its keys wherever it is written. */
const withEngines = ({ engine, ...spec }: WrittenSpec): Spec => ({
  ...spec,
  phases: spec.phases.map(({ engine: own = engine, ...phase }) => ({ ...phase, engine: own })),
})

const nodeAt = (spec: Json, path: Path): Json =>
  path.reduce<Json>((node, step) => (memberOf(node, String(step)) ?? null) as Json, spec)

const isReadAsWritten = ([key]: Path): boolean => unfolded.has(String(key))

/** Whether a finding is only a consequence of a failed fold, which has been reported. */
const isEcho = (spec: Json, path: Path): boolean => !isReadAsWritten(path) && isUnresolved(nodeAt(spec, path))

const reasonAt = (spec: Json, path: Path, reason: string): string =>
  isReadAsWritten(path) && asExpression(nodeAt(spec, path))
    ? 'is read as written: it cannot hold an expression'
    : reason

/** A single data set is parsed as a list of one: removes that index from a path. */
function asWritten(spec: Json, path: Path): Path {
  const isOne = path[0] === 'data' && typeof path[1] === 'number' && isObject(spec) && !Array.isArray(spec['data'])
  return isOne ? ['data', ...path.slice(2)] : path
}

function foldBody(root: JsonObject, context: FoldContext): Json {
  const body = Object.entries(root).filter(([key]) => !consumed.has(key))
  const written = Object.fromEntries(body.filter(([key]) => !unfolded.has(key)))
  const { node } = fold({ node: written, path: [] }, context)
  if (!isObject(node)) return {}
  // Charged a second time, for validating and compiling it.
  context.budget.spendOn(node, [])
  const folded = { ...Object.fromEntries(body), ...node }
  context.origins.set(folded, context.origins.get(node) ?? new Map())
  return folded
}

function parameterValues(row: Row, context: FoldContext): ReadonlyMap<string, ParameterValue> {
  const values = [...context.parameters.all(context)].map(([name, value]): [string, ParameterValue] => {
    const { label, position: choice } = row.choices.get(name) ?? {}
    return [name, { value, ...(label !== undefined && { label }), ...(choice !== undefined && { choice }) }]
  })
  return new Map(row.label === '' ? values : [...values, ['label', { value: row.label }]])
}
