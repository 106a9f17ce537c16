import { parseSelector, parseSetName, type ServerSelectors } from './server-selectors.ts'

/** The state that a server last reported. */
export type Role = 'primary' | 'secondary' | 'arbiter' | 'standalone' | 'other'

/** A server as it is known when a fault happens. */
export type KnownServer = {
  readonly name: string
  /** Undefined: it does not answer. */
  readonly role: Role | undefined
  /** Of a primary. */
  readonly term: number | null
}

/** A whole number in [0, limit). */
export type Choose = (limit: number) => number

/** Names of the servers that words stand for, each once, in the order of the words; "client" stands for none. */
export function chooseServers(
  selectors: ServerSelectors,
  servers: readonly KnownServer[],
  choose: Choose,
): readonly string[] {
  return [
    ...new Set(
      selectors
        .filter((selector) => selector !== 'client')
        .flatMap((selector) => chooseBySelector(selector, servers, choose)),
    ),
  ]
}

function chooseBySelector(selector: string, servers: readonly KnownServer[], choose: Choose): readonly string[] {
  const { set, role } = parseSelector(selector)
  const ofSet = servers.filter(({ name }) => parseSetName(name) === set)
  const names = ofSet.map(({ name }) => name)
  const having = (is: Role): readonly string[] => ofSet.filter((server) => server.role === is).map(({ name }) => name)
  switch (role) {
    case 'primary':
      return findPrimary(ofSet)
    case 'secondary':
      return chooseSubset(having('secondary'), 1, choose)
    case 'secondaries':
      return having('secondary')
    case 'any':
      return chooseSubset(
        ofSet.filter((server) => server.role !== undefined).map(({ name }) => name),
        1,
        choose,
      )
    case 'all':
      return names
    case 'minority':
      return chooseSubset(names, Math.floor((names.length - 1) / 2), choose)
    default:
      return names.filter((name) => name === (set === '' ? role : `${set}/${role}`))
  }
}

/** Of two that call themselves so, the one of the later term. A server without a set is its own primary. */
export function findPrimary(servers: readonly KnownServer[]): readonly string[] {
  const [latest] = servers
    .filter(({ role }) => role === 'primary' || role === 'standalone')
    .toSorted((a, b) => (b.term ?? 0) - (a.term ?? 0))
  return latest === undefined ? [] : [latest.name]
}

/** So many of them, each at most once. */
function chooseSubset(names: readonly string[], count: number, choose: Choose): readonly string[] {
  const left = [...names]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(choose(left.length), 1)).flat()
}
