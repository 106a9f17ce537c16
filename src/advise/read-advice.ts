import { z } from 'zod'
import { Problem } from '../core/errors.ts'
import { readSpecFile } from '../spec/load-spec.ts'
import { type CollectionAdvice } from './advise-on-collection.ts'
import { type Candidate, identify, nameIndex } from './candidate.ts'

/** Indexes of an earlier advice. */
export type AcceptedAdvice = {
  readonly file: string
  readonly create: readonly Candidate[]
  /** Indexes that an earlier advice drops, by collection and name. */
  readonly drop: readonly (readonly [collection: string, name: string])[]
}

/** No earlier advice: everything is new. */
export const nothingAccepted: AcceptedAdvice = { file: '', create: [], drop: [] }

export const isAccepted = (one: Candidate, { create }: AcceptedAdvice): boolean =>
  create.some((other) => identify(other) === identify(one))

export const isAcceptedDrop = (name: string, { profile }: CollectionAdvice, { drop }: AcceptedAdvice): boolean =>
  drop.some((other) => other[0] === profile.collection && other[1] === name)

/** Counts the indexes to create and to drop that an earlier advice does not have. */
export const countNew = (collections: readonly CollectionAdvice[], accepted: AcceptedAdvice) => ({
  create: collections.flatMap(({ create }) => create.filter((one) => !isAccepted(one, accepted))).length,
  drop: collections.flatMap((one) => one.drop.filter(({ name }) => !isAcceptedDrop(name, one, accepted))).length,
})

/** Says what became of an earlier advice. Empty: there is none. */
export function sayAccepted(collections: readonly CollectionAdvice[], accepted: AcceptedAdvice): string {
  const { file, create } = accepted
  if (file === '') return ''
  const [worth = 0, rejected = 0] = (['create', 'notWorth'] as const).map(
    (which) => collections.flatMap((one) => one[which]).filter((one) => isAccepted(one, accepted)).length,
  )
  const others = create.length - worth - rejected
  const { create: lacking } = countNew(collections, accepted)
  return [
    `${file} creates ${create.length}: ${worth} worth it`,
    ...(rejected === 0 ? [] : [`${rejected} not`]),
    ...(others === 0 ? [] : [`${others} that the data have already, or that the notes name`]),
  ]
    .join(', ')
    .concat(
      lacking === 0
        ? '. This traffic needs no other.'
        : `. This traffic needs ${lacking} that ${lacking === 1 ? 'is' : 'are'} not in it.`,
    )
}

/** Names in an answer that are none of options of an index. */
const metrics: ReadonlySet<string> = new Set(['megabytes', 'saves', 'costs', 'serverCpu'])

const created = z
  .looseObject({ key: z.record(z.string(), z.union([z.literal(1), z.literal(-1)])) })
  .transform(({ key, ...others }) => ({
    key,
    options: Object.fromEntries(Object.entries(others).filter(([name]) => !metrics.has(name))),
  }))

const answer = z.object({
  collections: z.array(
    z.object({ collection: z.string(), create: z.array(created), drop: z.array(z.object({ name: z.string() })) }),
  ),
})

/** Reads what an earlier run wrote with `--format json`. */
export async function readAdvice(file: string): Promise<AcceptedAdvice> {
  const { data } = answer.safeParse(await readJson(file))
  if (data === undefined)
    throw new Problem('usage', `${file} is not an advice`, {
      hint: 'Write one with: mongo-perf advise … --format json > advice.json',
    })
  return {
    file,
    create: data.collections.flatMap(({ collection, create }) =>
      create.map(({ key, options }) => nameIndex(collection, Object.entries(key), options)),
    ),
    drop: data.collections.flatMap(({ collection, drop }) => drop.map(({ name }) => [collection, name] as const)),
  }
}

async function readJson(file: string): Promise<unknown> {
  const text = await readSpecFile(file, 'Name the JSON file of an earlier advice.')
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
