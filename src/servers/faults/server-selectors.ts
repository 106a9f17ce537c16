import { z } from 'zod'
import { type SelectorAtPath } from './fault.ts'

/** Words for servers, or one of them. */
export type ServerSelectors = readonly string[]

const roles = ['primary', 'secondary', 'secondaries', 'minority', 'any', 'all'] as const

const pattern = new RegExp(`^(?:(?<set>shard\\d+|config)/)?(?<role>${roles.join('|')}|member\\d+)$`)

/** Description of the words that select servers, for the docs of spec fields. */
export const selectorMeaning =
  '"primary", "secondary" (one of them), "secondaries", "minority" (as many as a set can do without), "any" (one of those that answer), "all", or a member such as "member1"; in a sharded cluster with a set before it, such as "shard0/primary" or "config/any". Chosen when the fault happens, by chance from the seed where there is a choice'

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

/** Servers and everybody else: the ends of links. */
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
