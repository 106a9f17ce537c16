import { isObject, type Json, type JsonObject, partAt, type Path } from '../../core/json.ts'
import { asExpression, isUnresolved, unresolved } from '../../language/expression.ts'
import { unlessInvalid, type Issue, type Issues, type Report } from '../../language/issues.ts'
import { type Origins, prune } from '../../language/prune.ts'
import { collectFindings } from '../../language/reasons.ts'
import { type Overrides } from '../parse/overrides.ts'
import { type Spec, specSchema, type WrittenSpec } from '../schema/schema.ts'
import { chooseRows } from './choose-rows.ts'
import { FoldBudget } from './fold-budget.ts'
import { type FoldContext, sourcePath } from './fold-context.ts'
import { fold } from './fold.ts'
import { isConsequence, lacksNeighbour, lacksPhases, omitFlaws, type Omitted, unresolvedIn } from './omit-flaws.ts'
import { validateOptIns } from './opt-in.ts'
import { Parameters } from './parameters.ts'
import { patchSpec, refuseSetOfVaried } from './patch.ts'
import { scan, validateNames } from './scan.ts'
import { findWrittenPlace, splitLoads } from './split-loads.ts'
import { expandVariants, keepWhere, type VariantRow, rowOfUnknowns, toRow } from './variants.ts'

export type ParameterValue = {
  readonly value: Json
  readonly label?: string | undefined
  /** Its position in the list of variants. */
  readonly choice?: number | undefined
}

/** One variant of a spec ("row"), folded. */
export type SpecRow = {
  readonly index: number
  readonly label: string
  readonly parameters: ReadonlyMap<string, ParameterValue>
  readonly varied: readonly string[]
  /** The folded spec. The published types leave it out: its type is inferred from the schema, at ten times the size of the rest. @internal */
  readonly spec: Spec
  /** Parts omitted because of issues. Absent: nothing had any, as far as the schema says. @internal */
  readonly omitted?: Omitted
  /** Why its servers have none of the limits that it does not require. Absent: they have them, or are not to be started yet. */
  readonly limitsNotKept?: string
  /** Converts a path in this row's folded spec to the path in the file. @internal */
  readonly source: (path: Path, atKey?: boolean) => Path
}

export const isWhole = ({ omitted }: SpecRow, parts: readonly string[]): boolean =>
  !parts.some((part) => omitted?.keys.has(part))

/** Reads the rows of a parsed spec. Everything invalid is added to `issues` and omitted from its row, so that the rest can be validated too. */
export function readRows(spec: Json, overrides: Overrides, issues: Issues): readonly SpecRow[] {
  if (!isObject(spec)) {
    issues.add({ code: 'schema', path: [], reason: 'a spec is an object' })
    return []
  }
  const { root, parameters: definitions, settings } = patchSpec(spec, overrides, issues)
  const scanned = scan(spec, settings, issues)
  validateOptIns(spec, scanned.guarded, overrides, issues)
  // An unknown name explains more than its consequences, so names are validated first.
  const found: Issue[] = []
  const report = (path: Path, reason: string): void => void found.push({ code: 'variants', path, reason })
  const parameters = new Parameters(definitions)
  const budget = new FoldBudget()
  const unfolding = { parameters, origins: new WeakMap(), report, budget }
  const combinations = unlessInvalid(() => expandVariants(root['variants'], unfolding), report) ?? []
  const keepAndNumber = (): readonly VariantRow[] =>
    keepWhere(root, combinations, unfolding).map((combination, index) => toRow(combination, index, unfolding))
  const rows = unlessInvalid(keepAndNumber, report) ?? []
  const varied = [...new Set(combinations.flatMap(({ given }) => [...given.keys()]))]
  refuseSetOfVaried(overrides, varied, [...definitions.keys()])
  // Without combinations the names of varied parameters are not known either.
  if (combinations.length > 0) validateNames(scanned, root, combinations, issues)
  for (const issue of found) issues.add(issue)
  const chosen =
    rows.length === 0 && found.length > 0 ? rowOfUnknowns(root['variants']) : chooseRows(rows, overrides.only)
  const read = (): readonly SpecRow[] =>
    chosen.flatMap((row) => readRow(row, { root, overrides, parameters, budget, issues }) ?? [])
  return unlessInvalid(read, issues.reporter('values')) ?? []
}

/** Keys of the spec as a whole: they are read as written because no row changes them. */
const unfolded = new Set(['$schema', 'name', 'seed', 'repeat', 'allow'])
/** Keys that define the rows, and are no part of them. */
const consumed = new Set(['parameters', 'profiles', 'variants', 'where'])

type Reading = {
  readonly root: JsonObject
  readonly overrides: Overrides
  readonly parameters: Parameters
  readonly budget: FoldBudget
  readonly issues: Issues
}

function readRow(row: VariantRow, { root, overrides, parameters, budget, issues }: Reading): SpecRow | undefined {
  const origins: Origins = new WeakMap()
  let wrong = [...row.choices.values()].some(({ value }) => value.node === unresolved)
  const reporter = (code: string): Report => {
    const add = issues.reporter(code)
    return (path, reason, marks) => {
      wrong = true
      add(path, reason, marks)
    }
  }
  const [report, reportSchema] = [reporter('values'), reporter('schema')]
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
  const pruned = prune(specSchema, folded, { origins, report: reportFolded }) as JsonObject
  const sourceIn =
    (spec: JsonObject): SpecRow['source'] =>
    (path, atKey) => {
      const written = asWritten(spec, path)
      // The value of a key may come from elsewhere in the file; the key itself belongs to its object.
      const keys = atKey ? written.slice(-1) : []
      return [...sourcePath(spec, atKey ? written.slice(0, -1) : written, origins), ...keys]
    }
  const omitted = { keys: new Set<string>(), paths: [] as Path[] }
  // What a part is missing from may be wrong without it, or hide what else is wrong: some rounds are needed to the last issue.
  for (let spec = pruned, round = 0; round < maxRounds; round++) {
    const source = sourceIn(spec)
    const { data, findings } = collectFindings(specSchema, spec)
    for (const { path, reason, atKey } of findings) {
      const omittedPath = source(path, atKey)
      const isKnown = isConsequence(omittedPath, omitted) || lacksNeighbour(source(path, true), omitted)
      if ((!atKey && isEcho(spec, path)) || isKnown) continue
      reportSchema(omittedPath, reasonAt(spec, path, reason), { atKey })
    }
    const flaws = wrong ? [...findings.map(({ path }) => asWritten(spec, path)), ...unresolvedIn(spec)] : []
    if (data !== undefined && flaws.length === 0) {
      const read = withOverrides(data as WrittenSpec, overrides)
      return {
        index: row.index,
        label: row.label,
        parameters: parameterValues(row, context),
        varied: [...row.choices.keys()],
        spec: lacksPhases(spec) ? { ...read, phases: [] } : read,
        ...(omitted.paths.length > 0 && { omitted }),
        source: (path, atKey) => source(findWrittenPlace(spec, path), atKey),
      }
    }
    const { spec: left, gone } = omitFlaws(spec, flaws, origins)
    for (const path of [...flaws, ...gone]) {
      omitted.keys.add(String(path[0]))
      omitted.paths.push(source(path), source(path, true))
    }
    spec = left
  }
  return undefined
}

/** So often at most are parts of a row omitted: a part and what is around it, up to the list of phases. */
const maxRounds = 20

/** The spec with its phases split into loads, each with its engine, and on the servers that are asked for. */
const withOverrides = ({ engine: ofSpec, target, ...spec }: WrittenSpec, overrides: Overrides): Spec => ({
  ...spec,
  target: chooseTarget(target, overrides),
  phases: spec.phases.flatMap(({ engine = ofSpec, ...phase }) => splitLoads(phase, overrides.engine ?? engine)),
})

/** The target, or the server of MONGO_PERF_URI. Its facts stay: they are what the user knows of that server. */
function chooseTarget(target: Spec['target'], { existing = false, freshServers = false }: Overrides): Spec['target'] {
  if (existing) return { kind: 'existing', uriFrom: 'MONGO_PERF_URI', facts: target.facts }
  return freshServers && target.kind !== 'existing' ? { ...target, fresh: true } : target
}

const nodeAt = (spec: Json, path: Path): Json => partAt(spec, path) ?? null

const isReadAsWritten = ([key]: Path): boolean => unfolded.has(String(key))

/** Whether a finding is only a consequence of a failed fold, there or around it, which has been reported. */
const isEcho = (spec: Json, path: Path): boolean =>
  !isReadAsWritten(path) &&
  (isUnresolved(nodeAt(spec, path)) ||
    path.some((_, depth) => {
      const around = nodeAt(spec, path.slice(0, depth))
      return asExpression(around) !== undefined && isUnresolved(around)
    }))

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

function parameterValues(row: VariantRow, context: FoldContext): ReadonlyMap<string, ParameterValue> {
  const values = [...context.parameters.all(context)].map(([name, value]): [string, ParameterValue] => {
    const { label, position: choice } = row.choices.get(name) ?? {}
    return [name, { value, ...(label !== undefined && { label }), ...(choice !== undefined && { choice }) }]
  })
  return new Map(row.label === '' ? values : [...values, ['label', { value: row.label }]])
}

const keys: ReadonlySet<string> = new Set(['value', 'where'])

/**
 * The expressions of the report part. They are evaluated row by row after the measurement, so they are not folded: that would
 * insert the parameters of one row.
 */
function reportExpressions(report: Json | undefined): ReadonlySet<Json> {
  const found = new Set<Json>()
  const visit = (node: Json): void => {
    if (Array.isArray(node)) return (node as readonly Json[]).forEach(visit)
    if (!isObject(node)) return
    const isItem = asExpression(node) === undefined
    for (const [key, item] of Object.entries(node)) {
      if (isItem && keys.has(key)) found.add(item)
      else visit(item)
    }
  }
  if (!isObject(report)) return found
  const { let: given, ...others } = report
  visit(others)
  for (const item of isObject(given) ? Object.values(given) : []) found.add(item)
  return found
}
