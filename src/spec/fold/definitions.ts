import { Problem, Unmatched } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject, type Path } from '../../core/json.ts'
import { type Issues, suggestion } from '../../language/issues.ts'
import { type Overrides } from '../parse/overrides.ts'
import { type Written } from './fold-context.ts'
import { type Combination } from './variants.ts'

/** The value of each parameter, with the profile and `--set` applied. */
export function defineParameters(root: JsonObject, overrides: Overrides, issues: Issues): ReadonlyMap<string, Written> {
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
      if (!definitions.has(name)) issues.add({ code: 'parameters', path, atKey: true, reason })
      else if (profileName === profile) definitions.set(name, { node, path })
    }
  }
  if (profile !== undefined && !Object.hasOwn(profiles, profile)) {
    const known = Object.keys(profiles)
    // Also fatal for one of several specs: without its profile it would run at a size that no one requested.
    const { name } = root
    const spec = typeof name === 'string' ? `The spec "${name}"` : 'The spec'
    throw new Problem('usage', `${spec} has no profile "${profile}"${suggestion(profile, known)}`, {
      hint: 'The profiles of a spec are the keys of its "profiles".',
    })
  }
  for (const [name, node] of Object.entries(set))
    if (definitions.has(name)) definitions.set(name, { node, path: ['parameters', name] })
  return definitions
}

/** An object of values by name. It is read here instead of by the schema because a folded row no longer has it. */
function namedValues(root: JsonObject, path: readonly string[], issues: Issues): JsonObject {
  const node = path.reduce<Json>((at, key) => (at as JsonObject)[key] ?? null, root)
  if (isObject(node)) return node
  if (node !== null)
    issues.add({ code: 'parameters', path, reason: 'must be an object of values by the names of parameters' })
  return {}
}

/** Refuses `--set` of a parameter that varies from row to row, or does not exist. */
export function refuseSetOfVaried(
  { set = {} }: Overrides,
  varied: readonly string[],
  definitions: ReadonlyMap<string, Written>,
): void {
  for (const given of Object.keys(set)) {
    const known = [...definitions.keys()]
    if (varied.includes(given))
      throw new Unmatched(
        [{ option: 'set', given, reason: 'varies from row to row', known }],
        `--set cannot change "${given}": it varies from row to row`,
        { hint: `Choose rows with --only "${given}=…".` },
      )
    if (!definitions.has(given))
      throw new Unmatched(
        [{ option: 'set', given, reason: 'no such parameter', known }],
        `There is no parameter "${given}" to set${suggestion(given, known)}`,
        { hint: 'The parameters of a spec are the keys of its "parameters".' },
      )
  }
}

/** Names of all parameters, each with the path of its declaration: each must be used somewhere. */
export function declaredNames(root: JsonObject, combinations: readonly Combination[]): ReadonlyMap<string, Path> {
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
