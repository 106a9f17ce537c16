import { isObject, type Json, type Path } from '../json.ts'
import { Problem } from '../errors.ts'
import { fold, type FoldContext, type Origins, sourcePath, type Written } from './fold.ts'
import { Issues, suggestion } from './issues.ts'
import { Parameters } from './parameters.ts'
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
  /** Where a place in this row's folded spec was written. */
  readonly source: (path: Path) => Path
}

/** Reads the rows out of a parsed spec. Whatever is wrong goes to `issues`; rows that are wrong are left out. */
export function readRows(root: Json, overrides: Overrides, issues: Issues): readonly SpecRow[] {
  if (!isObject(root)) {
    issues.add({ path: [], reason: 'a spec is an object' })
    return []
  }
  const scanned = scan(root, issues)
  const report = (path: Path, reason: string): void => issues.add({ path, reason })
  const definitions = defineParameters(root, overrides, issues)
  const context: FoldContext = { parameters: new Parameters(definitions), origins: new WeakMap(), report }
  const rows = expandVariants(root['variants'], context)
  const varied = [...new Set(rows.flatMap((row) => [...row.choices.keys()]))]
  refuseSetOfVaried(overrides, varied, definitions)
  checkNames(scanned, declaredNames(root, rows), varied, issues)
  return choose(rows, overrides.only).flatMap((row) => readRow(root, row, definitions, issues) ?? [])
}

function defineParameters(
  root: { readonly [key: string]: Json },
  { profile, set = {} }: Overrides,
  issues: Issues,
): ReadonlyMap<string, Written> {
  const parameters = isObject(root['parameters']) ? root['parameters'] : {}
  const profiles = isObject(root['profiles']) ? root['profiles'] : {}
  const definitions = new Map<string, Written>(
    Object.entries(parameters).map(([name, node]) => [name, { node, path: ['parameters', name] }]),
  )
  for (const [profileName, values] of Object.entries(profiles)) {
    for (const [name, node] of Object.entries(isObject(values) ? values : {})) {
      const path = ['profiles', profileName, name]
      if (!definitions.has(name))
        issues.add({
          path,
          atKey: true,
          unknownWord: true,
          reason: `there is no parameter "${name}"${suggestion(name, Object.keys(parameters))}`,
        })
      else if (profileName === profile) definitions.set(name, { node, path })
    }
  }
  if (profile !== undefined && !(profile in profiles)) {
    throw new Problem('usage', `There is no profile "${profile}"${suggestion(profile, Object.keys(profiles))}`, {
      hint: 'The profiles of a spec are the keys of its "profiles".',
    })
  }
  for (const [name, node] of Object.entries(set))
    if (definitions.has(name)) definitions.set(name, { node, path: ['parameters', name] })
  return definitions
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
function declaredNames(root: { readonly [key: string]: Json }, rows: readonly Row[]): ReadonlyMap<string, Path> {
  const parameters = isObject(root['parameters']) ? Object.keys(root['parameters']) : []
  const varied = rows.flatMap((row) =>
    [...row.choices].map(
      ([name, { value, label }]) => [name, label === undefined ? value.path : value.path.slice(0, -1)] as const,
    ),
  )
  const firstOfEach = varied.filter(([name], i) => varied.findIndex(([other]) => other === name) === i)
  return new Map<string, Path>([...firstOfEach, ...parameters.map((name) => [name, ['parameters', name]] as const)])
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
  return (
    choice !== undefined &&
    (choice.label === value || choice.value.node === value || JSON.stringify(choice.value.node) === value)
  )
}

/** Keys that say something about the spec as a whole: they are read as written, for no row changes them. */
const unfolded = ['$schema', 'name', 'seed', 'repeat'] as const
/** Keys that have done their work when the rows are known. */
const consumed = ['parameters', 'profiles', 'variants'] as const

function readRow(
  root: { readonly [key: string]: Json },
  row: Row,
  definitions: ReadonlyMap<string, Written>,
  issues: Issues,
): SpecRow | undefined {
  const origins: Origins = new WeakMap()
  let wrong = false
  const report = (path: Path, reason: string): void => {
    wrong = true
    issues.add({ path, reason })
  }
  const choices = new Map([...row.choices].map(([name, choice]) => [name, choice.value]))
  const context: FoldContext = { parameters: new Parameters(new Map([...definitions, ...choices])), origins, report }
  const body = Object.entries(root).filter(([key]) => !(consumed as readonly string[]).includes(key))
  const whole = body.filter(([key]) => (unfolded as readonly string[]).includes(key))
  const rest = Object.fromEntries(body.filter(([key]) => !(unfolded as readonly string[]).includes(key)))
  const folded = fold({ node: rest, path: [] }, context).node
  const pruned = prune(specSchema, folded, {
    origins,
    report: (path, reason) => report(sourcePath(folded, path, origins), reason),
  })
  const source = (path: Path): Path => sourcePath(pruned, path, origins)
  const { data, findings } = findingsOf(specSchema, { ...Object.fromEntries(whole), ...(pruned as object) })
  for (const { path, reason, atKey } of findings) {
    wrong = true
    // The value of a key may have come from elsewhere; the key itself stands where its object does.
    const at = atKey ? [...source(path.slice(0, -1)), ...path.slice(-1)] : source(path)
    issues.add({ path: at, reason, ...(atKey && { atKey }) })
  }
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

function parameterValues(row: Row, context: FoldContext): ReadonlyMap<string, ParameterValue> {
  const values = [...context.parameters.all(context)].map(([name, value]): [string, ParameterValue] => {
    const label = row.choices.get(name)?.label
    return [name, label === undefined ? { value } : { value, label }]
  })
  return new Map(row.label === '' ? values : [...values, ['label', { value: row.label }]])
}
