import { z } from 'zod'
import { type WordPlace } from './fault.ts'

/** Words for servers, or one of them. */
export type Words = readonly string[]

const roles = ['primary', 'secondary', 'secondaries', 'minority', 'any', 'all'] as const

const pattern = new RegExp(`^(?:(?<set>shard\\d+|config)/)?(?<role>${roles.join('|')}|member\\d+)$`)

/** Description of the words that select servers, for the docs of spec fields. */
export const meaningOfWords =
  '"primary", "secondary" (one of them), "secondaries", "minority" (as many as a set can do without), "any" (one of those that answer), "all", or a member such as "member1"; in a sharded cluster with a set before it, such as "shard0/primary" or "config/any". Chosen when the fault happens, by chance from the seed where there is a choice'

const serverWord = z
  .string()
  .regex(
    pattern,
    'Expected "primary", "secondary", "secondaries", "minority", "any", "all" or a member such as "member1"',
  )

const oneOrMore = <Word extends z.ZodType<string>>(word: Word) =>
  z.union([word, z.array(word).min(1)]).transform((given): Words => (typeof given === 'string' ? [given] : given))

/** The servers that a fault meets. */
export const target = oneOrMore(serverWord)
  .prefault('primary')
  .describe(`Target servers, a word or a list: ${meaningOfWords}. Default: "primary".`)

/** Servers and everybody else: the ends of links. */
export const linkEnds = z.array(z.union([z.literal('client'), serverWord])).min(1)

/** The words of a fault with a `target`. */
export const wordsOfTarget = ({ target: words }: { readonly target: Words }): readonly WordPlace[] =>
  words.length === 1
    ? words.map((word) => ({ path: ['target'], word }))
    : words.map((word, i) => ({ path: ['target', i], word }))

/** A word as it is meant. */
export type ReadWord = {
  /** "shard0", "config"; empty where the target is one set, or one server. */
  readonly set: string
  readonly role: (typeof roles)[number] | `member${number}`
}

/** Parses a word that selects servers, such as "shard0/primary"; throws if it is not valid. */
export function readWord(word: string): ReadWord {
  const { set = '', role } = pattern.exec(word)?.groups ?? {}
  if (role === undefined) throw new Error(`"${word}" stands for no server`)
  return { set, role: role as ReadWord['role'] }
}

/** "shard0" of "shard0/member1"; empty for "member1". */
export const parseSetName = (server: string): string => (server.includes('/') ? (server.split('/')[0] ?? '') : '')
