import { Problem, Unmatched } from '../errors.ts'
import { isObject, type Json, type JsonObject, type Path } from '../json.ts'
import { type Written } from './fold-context.ts'
import { type Issues, suggestion } from '../language/issues.ts'
import { type Overrides } from './overrides.ts'
import { type Combination } from './variants.ts'

/** What each parameter is: as written, or as the profile or --set has it. */
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
      if (!definitions.has(name)) issues.add({ path, atKey: true, unknownWord: true, reason })
      else if (profileName === profile) definitions.set(name, { node, path })
    }
  }
  if (profile !== undefined && !Object.hasOwn(profiles, profile)) {
    const known = Object.keys(profiles)
    // Also of several specs: without its profile a spec would run at a size that no one asked for.
    throw new Problem('usage', `There is no profile "${profile}"${suggestion(profile, known)}`, {
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

/** Names that something must use, with the place where each is declared. */
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
