import { z } from 'zod'
import { type SelectorAtPath } from './fault.ts'

/** Words for servers, or one of them. */
export type ServerSelectors = readonly string[]

const roles = ['primary', 'secondary', 'secondaries', 'minority', 'any', 'all'] as const

const pattern = new RegExp(`^(?:(?<set>shard\\d+|config)/)?(?<role>${roles.join('|')}|member\\d+)$`)

/** Description of the words that select servers, for the docs of spec fields. */
export const selectorMeaning =
  '"primary", "secondary" (one of them), "secondaries", "minority" (as many as a set can do without), "any" (one of those that answer), "all", or a member such as "member1"; in a sharded cluster with a set before it, such as "shard0/primary" or "config/any". Resolved when the fault fires; ties are broken by the seed'

const serverSelector = z
  .string()
  .regex(
    pattern,
    'Expected "primary", "secondary", "secondaries", "minority", "any", "all" or a member such as "member1"',
  )

const oneOrMore = <Selector extends z.ZodType<string>>(selector: Selector) =>
  z
    .union([selector, z.array(selector).min(1)])
    .transform((given): ServerSelectors => (typeof given === 'string' ? [given] : given))

/** The servers that a fault meets. */
export const target = oneOrMore(serverSelector)
  .prefault('primary')
  .describe(`Target servers, a word or a list: ${selectorMeaning}. Default: "primary".`)

/** Servers and everything else: the ends of links. */
export const linkEnds = z.array(z.union([z.literal('client'), serverSelector])).min(1)

/** The words of a fault with a `target`. */
export const targetSelectors = ({
  target: selectors,
}: {
  readonly target: ServerSelectors
}): readonly SelectorAtPath[] =>
  selectors.length === 1
    ? selectors.map((selector) => ({ path: ['target'], selector }))
    : selectors.map((selector, i) => ({ path: ['target', i], selector }))

/** A word as it is meant. */
export type ParsedSelector = {
  /** "shard0", "config"; empty where the target is one set, or one server. */
  readonly set: string
  readonly role: (typeof roles)[number] | `member${number}`
}

/** Parses a word that selects servers, such as "shard0/primary"; throws if it is not valid. */
export function parseSelector(selector: string): ParsedSelector {
  const { set = '', role } = pattern.exec(selector)?.groups ?? {}
  if (role === undefined) throw new Error(`"${selector}" stands for no server`)
  return { set, role: role as ParsedSelector['role'] }
}

/** "shard0" of "shard0/member1"; empty for "member1". */
export const parseSetName = (server: string): string => (server.includes('/') ? (server.split('/')[0] ?? '') : '')

/** The state that a server last reported. */
export type Role = 'primary' | 'secondary' | 'arbiter' | 'standalone' | 'other'

/** A server as it is known when a fault happens. */
export type KnownServer = {
  readonly name: string
  /** Undefined: it does not answer. */
  readonly role: Role | undefined
  /** Term of a primary. */
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

/** Finds the primary: of two that call themselves so, the one of the later term. A server without a set is its own primary. */
export function findPrimary(servers: readonly KnownServer[]): readonly string[] {
  const [latest] = servers
    .filter(({ role }) => role === 'primary' || role === 'standalone')
    .toSorted((a, b) => (b.term ?? 0) - (a.term ?? 0))
  return latest === undefined ? [] : [latest.name]
}

/** Chooses this number of names, each at most once. */
function chooseSubset(names: readonly string[], count: number, choose: Choose): readonly string[] {
  const left = [...names]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(choose(left.length), 1)).flat()
}
