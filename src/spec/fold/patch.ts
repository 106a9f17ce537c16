import { Problem, Unmatched } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { didYouMean, nearest } from '../../core/nearest.ts'
import { asExpression, type Expression } from '../../language/expression.ts'
import { type Issues, suggestion } from '../../language/issues.ts'
import { isUsableKey } from '../../language/values/keys.ts'
import { type EngineKind } from '../../load/engines/engine-kinds.ts'
import { type Overrides } from '../parse/overrides.ts'
import { specSchema } from '../schema/schema.ts'
import { type Written } from './fold-context.ts'

/** A spec as JSON, with the overrides in it. */
export type PatchedSpec = {
  readonly root: JsonObject
  /** The value of each parameter, with the profile and `--set` applied. */
  readonly parameters: ReadonlyMap<string, Written>
  /** Values that `--set` has set. */
  readonly settings: readonly Written[]
}

/**
 * Writes overrides into the JSON of a spec. Names in `--set` that are neither a parameter nor a path of the spec stay out.
 * @throws {Problem} "usage" for a profile or a path that does not exist.
 */
export function patchSpec(spec: JsonObject, overrides: Overrides, issues: Issues): PatchedSpec {
  const { profiles: _, $schema: __, ...rest } = spec
  const { profile = '', usualEngine, engine, set = {} } = overrides
  const own = readNamed(spec, ['parameters'], issues)
  const chosen = readProfile(spec, own, overrides, issues)
  const parameters = structuredClone({ ...own, ...chosen }) as Holder
  const root = structuredClone({
    ...(usualEngine !== undefined && { engine: usualEngine }),
    ...rest,
    ...(engine !== undefined && withEngine(rest, engine)),
  }) as Holder
  const names = Object.keys(parameters)
  if (names.length > 0) root['parameters'] = parameters
  const given = new Set(Object.keys(set))
  const settings = Object.entries(set).flatMap(([name, node]) => {
    const path = settingPath(name, names)
    const [key, ...steps] = path
    if (key === 'target' && steps[0] !== 'facts') refuseReplaced(name, overrides)
    // As the schema has it for a spec without a target.
    if (key === 'target') root[key] ??= { kind: 'standalone' }
    if (key !== undefined) setPart(root, key, steps, { name, value: node, root, through: [] })
    return key === undefined ? [] : [{ node, path }]
  })
  const pathOf = (name: string): Path =>
    Object.hasOwn(chosen, name) && !given.has(name) ? ['profiles', profile, name] : ['parameters', name]
  const written = names.map((name): [string, Written] => [name, { node: parameters[name] ?? null, path: pathOf(name) }])
  return { root, parameters: new Map(written), settings }
}

function withEngine({ phases = null }: JsonObject, engine: EngineKind): JsonObject {
  if (!Array.isArray(phases)) return { engine, phases }
  return { engine, phases: phases.map((phase: Json) => (isObject(phase) ? without(phase, 'engine') : phase)) }
}

const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))

/** The parameters of the chosen profile. Those of all profiles are validated. */
function readProfile(spec: JsonObject, parameters: JsonObject, { profile }: Overrides, issues: Issues): JsonObject {
  const profiles = readNamed(spec, ['profiles'], issues)
  for (const name of Object.keys(profiles))
    for (const parameter of Object.keys(readNamed(spec, ['profiles', name], issues))) {
      if (Object.hasOwn(parameters, parameter)) continue
      const reason = `there is no parameter "${parameter}"${suggestion(parameter, Object.keys(parameters))}`
      issues.add({ code: 'parameters', path: ['profiles', name, parameter], atKey: true, reason })
    }
  if (profile === undefined) return {}
  if (Object.hasOwn(profiles, profile)) {
    const values = Object.entries(readNamed(spec, ['profiles', profile], issues))
    return Object.fromEntries(values.filter(([parameter]) => Object.hasOwn(parameters, parameter)))
  }
  // Also fatal for one of several specs: without its profile it would run at a size that no one requested.
  const { name } = spec
  const subject = typeof name === 'string' ? `The spec "${name}"` : 'The spec'
  throw new Problem('usage', `${subject} has no profile "${profile}"${suggestion(profile, Object.keys(profiles))}`, {
    hint: 'The profiles of a spec are the keys of its "profiles".',
  })
}

/** An object of values by name. It is read here instead of by the schema because a folded row no longer has it. */
function readNamed(spec: JsonObject, path: readonly string[], issues: Issues): JsonObject {
  const node = path.reduce<Json>((at, key) => (at as JsonObject)[key] ?? null, spec)
  if (isObject(node)) return node
  if (node !== null)
    issues.add({ code: 'parameters', path, reason: 'must be an object of values by the names of parameters' })
  return {}
}

function refuseReplaced(name: string, { existing = false }: Overrides): void {
  if (!existing) return
  throw new Problem('usage', `--set ${name} changes how a server is started, and none is started for this run`, {
    hint: 'Leave it out, or leave out the server given instead of the target.',
  })
}

/** Keys of a spec that name it, or that `--set` reaches by other names. */
const notSet: ReadonlySet<string> = new Set(['$schema', 'allow', 'parameters', 'profiles'])
const settableKeys = Object.keys(specSchema.shape).filter((key) => !notSet.has(key))

/** The path of what `--set` names: a parameter, a part of one, or a part of the spec. Empty: none of them. */
function settingPath(name: string, parameters: readonly string[]): readonly string[] {
  const steps = name.split('.')
  const [first = ''] = steps
  if (parameters.includes(name)) return ['parameters', name]
  if (parameters.includes(first)) return ['parameters', ...steps]
  return settableKeys.includes(first) ? steps : []
}

/** Refuses `--set` of a parameter that varies from row to row, and of what does not exist. */
export function refuseSetOfVaried({ set = {} }: Overrides, varied: readonly string[], known: readonly string[]): void {
  for (const given of Object.keys(set)) {
    if (varied.includes(given))
      throw new Unmatched(
        [{ option: 'set', given, reason: 'varies from row to row', known }],
        `--set cannot change "${given}": it varies from row to row`,
        { hint: `Choose rows with --only "${given}=…".` },
      )
    if (settingPath(given, known).length === 0)
      throw new Unmatched(
        [{ option: 'set', given, reason: 'no such parameter', known }],
        `There is no parameter "${given}" to set${suggestSetting(given, known)}`,
        { hint: 'The parameters of a spec are the keys of its "parameters".' },
      )
  }
}

/** The path that was probably meant, as the end of a message. */
function suggestSetting(name: string, parameters: readonly string[]): string {
  const [first = '', ...steps] = name.split('.')
  const meant = steps.length === 0 ? undefined : nearest(first, [...parameters, ...settableKeys])
  return meant === undefined ? suggestion(name, parameters) : didYouMean([meant, ...steps].join('.'))
}

type Holder = Record<string | number, Json>

type Setting = {
  readonly name: string
  readonly value: Json
  readonly root: JsonObject
  /** Names of parameters on the way to the part. */
  readonly through: readonly string[]
}

function setPart(holder: Holder, key: string | number, steps: readonly string[], setting: Setting): void {
  const [step, ...rest] = steps
  const node = Object.hasOwn(holder, key) ? (holder[key] ?? null) : null
  const expression = asExpression(node)
  if (step === undefined) holder[key] = structuredClone(setting.value)
  else if (expression) setBehind(expression, steps, setting)
  else if (Array.isArray(node)) setPart(node as unknown as Holder, findItem(node, step, setting), rest, setting)
  else if (isUsableKey(step) && (node === null || isObject(node)))
    setPart((holder[key] = node ?? {}) as Holder, step, rest, setting)
  else throw noPart(setting, `${JSON.stringify(node)} has no "${step}"`)
}

/** Sets a part of the value of an expression, where that is written. */
function setBehind({ keyword, argument }: Expression, steps: readonly string[], setting: Setting): void {
  const { through } = setting
  if (keyword === '@cond' && Array.isArray(argument))
    return [1, 2].forEach((branch) => setPart(argument as unknown as Holder, branch, steps, setting))
  if (keyword !== '@param' || typeof argument !== 'string') throw noPart(setting, `"${keyword}" computes it`)
  const [name = '', ...inside] = argument.split('.')
  // Folding reports the cycle.
  if (through.includes(name)) return
  for (const [holder, key] of listValues(name, setting.root))
    setPart(holder, key, [...inside, ...steps], { ...setting, through: [...through, name] })
}

/** The places of the values of a parameter: in all rows that vary it, else its own. */
function listValues(
  name: string,
  { variants, parameters }: JsonObject,
): readonly (readonly [Holder, string | number])[] {
  const list = isObject(variants) ? variants[name] : undefined
  const varied = Array.isArray(variants)
    ? variants.filter((row) => isObject(row) && Object.hasOwn(row, name)).map((row) => [row as Holder, name] as const)
    : Array.isArray(list)
      ? list.map((_, index) => [list as unknown as Holder, index] as const)
      : []
  if (varied.length === 0) return isObject(parameters) ? [[parameters as Holder, name]] : []
  return varied.map(([holder, key]) => {
    const value = holder[key]
    return isObject(value) && 'label' in value && 'value' in value ? [value as Holder, 'value'] : [holder, key]
  })
}

/** The index of an item of a list: by its position from 0, or by its name. */
function findItem(list: readonly Json[], step: string, setting: Setting): number {
  const names = list.map((item) => (isObject(item) ? (item['name'] ?? item['collection'] ?? item['kind']) : undefined))
  const index = /^\d+$/.test(step) ? Number(step) : names.indexOf(step)
  if (index >= 0 && index < list.length) return index
  const known = names.filter((name) => typeof name === 'string')
  throw noPart(setting, `there is no "${step}" in the list${suggestion(step, known)}`)
}

const noPart = ({ name }: Setting, reason: string): Unmatched =>
  new Unmatched([{ option: 'set', given: name, reason: 'no such part', known: [] }], `--set ${name}: ${reason}`, {
    hint: 'A path goes from the keys of the spec to a value: target.server.cacheGB, or phases.0.load.workers.',
  })
