import { Problem } from '../../core/errors.ts'

/** URIs by their variables. Those of the command line override those of the environment. */
export type Uris = {
  /** A URI that replaces the targets of all specs. */
  readonly replacement: string | undefined
  readonly get: (variable: string) => string | undefined
  /** How the command line gives those that are not read from their variables: "--uri", "--uri fast". */
  readonly givenAs: Readonly<Record<string, string>>
  /** The variables that the command line names. */
  readonly named: readonly string[]
  /** The variables of the environment that a target may read. */
  readonly inEnvironment: readonly string[]
  /** All URIs, which must not appear in any output. */
  readonly all: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

const defaultVariable = 'MONGO_PERF_URI'
const scheme = /^mongodb(?:\+srv)?:\/\//
const uriInside = /mongodb(?:\+srv)?:\/\/.*/s
/** URIs contain commas too: only a comma before "name=mongodb://" separates several. */
const betweenUris = /,(?=\w+=mongodb(?:\+srv)?:\/\/)/
const withName = /^([A-Za-z0-9_]+)=(mongodb(?:\+srv)?:\/\/.*)$/s

/**
 * Reads URIs from the command line and the environment.
 * @param given `--uri mongodb://…` once, `--uri name=mongodb://…` for each named target.
 */
export function readUris(given: readonly string[] | undefined, env: Environment): Uris {
  const ofEnvironment = listUriVariables(env)
  const ofCommandLine = new Map<string, string>()
  let replacement: string | undefined
  for (const text of given ?? []) {
    const [, name, uri] = withName.exec(text) ?? []
    if (name !== undefined && uri !== undefined) ofCommandLine.set(`${defaultVariable}_${name.toUpperCase()}`, uri)
    else if (scheme.test(text)) replacement = text
    else
      throw new Problem('usage', 'A --uri is neither a MongoDB URI nor "name=URI"', {
        hint: 'Write --uri "mongodb://host:27017/", or --uri fast=mongodb://… for the target that reads MONGO_PERF_URI_FAST.',
      })
  }
  const named = [...ofCommandLine.keys()]
  if (replacement !== undefined) ofCommandLine.set(defaultVariable, replacement)
  const byVariable = new Map([...ofEnvironment, ...ofCommandLine])
  return {
    replacement,
    get: (variable) => byVariable.get(variable),
    givenAs: Object.fromEntries([...ofCommandLine.keys()].map((variable) => [variable, optionFor(variable)])),
    named,
    inEnvironment: ofEnvironment.map(([name]) => name),
    all: [...byVariable.values()],
  }
}

/**
 * Reads the URI of the only server of a command. It ignores the environment: a variable that happens to be set must not send
 * the load to another server.
 * @param purpose Such as "replay on".
 */
export function readOnlyUri(uri: string | undefined, command: string, purpose: string): Uris {
  const uris = readUris(uri === undefined ? [] : [uri], {})
  if (uri === undefined || uris.replacement !== undefined) return uris
  throw new Problem('usage', `The --uri of "${command}" has a name, and there is only one server to ${purpose}`, {
    hint: 'Write --uri "mongodb://host:27017/".',
  })
}

/** @throws {Problem} "usage" where no server is given that may be looked at. */
export function requireUri({ get }: Pick<Uris, 'get'>): string {
  const uri = get(defaultVariable)
  if (uri !== undefined) return uri
  throw new Problem('usage', 'No server is given', { hint: 'Set MONGO_PERF_URI, or add --uri.' })
}

/** "--uri" or "--uri fast", by the variable that it stands for. */
const optionFor = (variable: string): string =>
  `--uri ${variable.slice(defaultVariable.length + 1).toLowerCase()}`.trim()

const listUriVariables = (env: Environment): readonly (readonly [name: string, uri: string])[] =>
  Object.entries(env).flatMap(([name, uri]) => (name.startsWith(defaultVariable) && uri ? [[name, uri] as const] : []))

/** The URI that a text is, or that the variable of its name holds: there it stands in no list of processes. Undefined: it is neither. */
export const findUri = (text: string, env: Environment): string | undefined =>
  [text, env[text]].find((one = '') => scheme.test(one))

/** All URIs in the arguments and variables of a process, even one that was given to the wrong option. */
export function urisIn(args: readonly string[], env: Environment): readonly string[] {
  // The defaults of a project may name any variable.
  const inVariables = Object.values(env).flatMap((value = '') => uriInside.exec(value) ?? [])
  return [
    ...new Set([
      ...args.flatMap((arg) => arg.split(betweenUris)).flatMap((arg) => uriInside.exec(arg) ?? []),
      ...listUriVariables(env).map(([, uri]) => uri),
      ...inVariables,
    ]),
  ]
}
