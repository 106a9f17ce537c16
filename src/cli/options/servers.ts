import { Problem } from '../../core/errors.ts'
import { type Json } from '../../core/json.ts'
import { type NamedServer } from '../../spec/parse/overrides.ts'
import { parseSetting } from './parse-setting.ts'

/** A server of `--servers`. Without a URI, its environment variable has it. */
export type GivenServer = { readonly name: string; readonly uriFrom: string; readonly uri: string | undefined }

/** URIs contain commas too: only a comma before "name=mongodb://" separates servers. */
const betweenUris = /,(?=\w+=mongodb(?:\+srv)?:\/\/)/
const server = /^(\w+)(?:=(mongodb(?:\+srv)?:\/\/.*))?$/s

/** Splits "small=mongodb://…,large=mongodb://…" into its servers. */
export const splitUris = (text: string): readonly string[] => text.split(betweenUris)

/** Names without URIs ("small,large") contain no commas. */
const splitServers = (text: string): readonly string[] =>
  text.includes('=mongodb') ? splitUris(text) : text.split(',')

/** Parses the servers of all `--servers`. */
export function readServers(given: readonly string[]): readonly GivenServer[] {
  const servers = given.flatMap(splitServers).map((text): GivenServer => {
    const [, name, uri] = server.exec(text) ?? []
    if (name === undefined)
      throw new Problem('usage', 'A server of --servers is neither "name=URI" nor a name', {
        hint: 'Write --servers small=mongodb://…,large=mongodb://…; letters, digits and "_" make a name. The URI of a name alone is that of MONGO_PERF_URI_<NAME>.',
      })
    return { name, uriFrom: `MONGO_PERF_URI_${name.toUpperCase()}`, uri }
  })
  const twice = servers.find(({ uriFrom }, i) => servers.findIndex((other) => other.uriFrom === uriFrom) !== i)
  if (twice === undefined) return servers
  throw new Problem('usage', `--servers names "${twice.name}" twice`, { hint: 'Give each server a name of its own.' })
}

const fact = /^(\w+)\.([^=]+=.*)$/s

/** Adds the facts of all `--facts`, such as "small.pricePerHour=0.5", to their servers. */
export function withFacts(servers: readonly GivenServer[], facts: readonly string[]): readonly NamedServer[] {
  const byServer = new Map(servers.map(({ name }) => [name, new Map<string, Json>()]))
  for (const text of facts) {
    const [, name = '', setting = ''] = fact.exec(text) ?? []
    const known = byServer.get(name)
    if (known === undefined)
      throw new Problem('usage', `--facts ${text} does not begin with the name of a server`, {
        hint:
          servers.length === 0
            ? 'Add --servers, and write --facts small.pricePerHour=0.5 for the server "small".'
            : `The servers are ${servers.map((one) => one.name).join(', ')}: write --facts ${servers[0]?.name}.pricePerHour=0.5`,
      })
    known.set(...parseSetting(setting))
  }
  return servers.map(({ name, uriFrom }) => ({ name, uriFrom, facts: Object.fromEntries(byServer.get(name) ?? []) }))
}
