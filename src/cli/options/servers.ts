import { Problem } from '../../core/errors.ts'
import { type Json } from '../../core/json.ts'
import { type NamedServer } from '../../spec/parse/overrides.ts'
import { parseSetting } from './arguments.ts'

/** A server of `--servers`. Without a URI, its environment variable has it. */
type GivenServer = { readonly name: string; readonly uriFrom: string; readonly uri: string | undefined }

/** URIs contain commas too: only a comma before "name=mongodb://" separates servers. */
const betweenUris = /,(?=\w+=mongodb(?:\+srv)?:\/\/)/
const server = /^(\w+)(?:=(mongodb(?:\+srv)?:\/\/.*))?$/s

/** Splits "small=mongodb://…,large=mongodb://…" into its servers. */
const splitUris = (text: string): readonly string[] => text.split(betweenUris)

/** Names without URIs ("small,large") contain no commas. */
const splitServers = (text: string): readonly string[] =>
  text.includes('=mongodb') ? splitUris(text) : text.split(',')

/** Parses the servers of all `--servers`. */
export function readServers(given: readonly string[]): readonly GivenServer[] {
  const servers = given.flatMap(splitServers).map((text): GivenServer => {
    const [, name, uri] = server.exec(text) ?? []
    if (name === undefined)
      throw new Problem('usage', 'A server of --servers is neither "name=URI" nor a name', {
        hint: 'Write --servers small=mongodb://…,large=mongodb://…; letters, digits and "_" make a name. For a name alone, the URI comes from MONGO_PERF_URI_<NAME>.',
      })
    return { name, uriFrom: `MONGO_PERF_URI_${name.toUpperCase()}`, uri }
  })
  const twice = servers.find(({ uriFrom }, i) => servers.findIndex((other) => other.uriFrom === uriFrom) !== i)
  if (twice === undefined) return servers
  throw new Problem('usage', `--servers names "${twice.name}" twice`, { hint: 'Give each server a different name.' })
}

const fact = /^(\w+)\.([^=]+=.*)$/s

/** Adds the facts of all `--facts`, such as "small.pricePerHour=0.5", to their servers. */
export function withFacts(servers: readonly GivenServer[], facts: readonly string[]): readonly NamedServer[] {
  const byServer = new Map(servers.map(({ name }) => [name, new Map<string, Json>()]))
  for (const text of facts) {
    const [, name = '', setting = ''] = fact.exec(text) ?? []
    const known = byServer.get(name)
    if (known === undefined)
      throw new Problem(
        'usage',
        servers.length === 0
          ? `--facts ${text} is about a server, and there are no --servers`
          : `--facts ${text} does not begin with the name of a server`,
        {
          hint:
            servers.length === 0
              ? 'Name the servers: --servers small=mongodb://…,large=mongodb://…'
              : `The servers are ${servers.map((one) => one.name).join(', ')}: write --facts ${servers[0]?.name}.pricePerHour=0.5`,
        },
      )
    known.set(...parseSetting(setting))
  }
  return servers.map(({ name, uriFrom }) => ({ name, uriFrom, facts: Object.fromEntries(byServer.get(name) ?? []) }))
}

/** URIs by their variables. Those of the command line override those of the environment. */
export type Uris = {
  /** A URI that replaces the targets of all specs. */
  readonly replacement: string | undefined
  readonly get: (variable: string) => string | undefined
  /** How the command line gives those that are not read from their variables: "--uri", "--uri fast", "--servers small". */
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
const withName = /^([A-Za-z0-9_]+)=(mongodb(?:\+srv)?:\/\/.*)$/s

/**
 * Reads URIs from the command line and the environment.
 * @param given `--uri mongodb://…` once, `--uri name=mongodb://…` for each named target.
 * @param servers Those of `--servers`.
 */
export function readUris(given: readonly string[], env: Environment, servers: readonly GivenServer[] = []): Uris {
  const ofEnvironment = listUriVariables(env)
  const ofCommandLine = new Map<string, string>()
  let replacement: string | undefined
  for (const text of given) {
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
  const twice = servers.find(({ uriFrom, uri }) => uri !== undefined && named.includes(uriFrom))
  if (twice !== undefined)
    throw new Problem('usage', `--servers and --uri each give "${twice.name}" a URI`, {
      hint: 'Leave one of them out.',
    })
  const ofServers = servers.flatMap(({ uriFrom, uri }) => (uri === undefined ? [] : [[uriFrom, uri] as const]))
  const byVariable = new Map([...ofEnvironment, ...ofCommandLine, ...ofServers])
  return {
    replacement,
    get: (variable) => byVariable.get(variable),
    givenAs: Object.fromEntries([
      ...[...ofCommandLine.keys()].map((variable) => [variable, optionFor('--uri', variable)]),
      ...ofServers.map(([variable]) => [variable, optionFor('--servers', variable)]),
    ]),
    named,
    inEnvironment: ofEnvironment.map(([name]) => name),
    all: [...byVariable.values()],
  }
}

/** "--uri" or "--uri fast", by the variable that it stands for. */
const optionFor = (option: string, variable: string): string =>
  `${option} ${variable.slice(defaultVariable.length + 1).toLowerCase()}`.trim()

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
      ...args.flatMap(splitUris).flatMap((arg) => uriInside.exec(arg) ?? []),
      ...listUriVariables(env).map(([, uri]) => uri),
      ...inVariables,
    ]),
  ]
}
