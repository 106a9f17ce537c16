import { type Db } from 'mongodb'
import { sum } from '../metrics/statistics.ts'
import { sampleCollection } from '../sources/init/collection/sample-collection.ts'
import { type CallGroups } from '../sources/init/profile/call-groups.ts'
import { adviseOnCollection, type AdviceLimits, type CollectionAdvice } from './advise-on-collection.ts'
import { type Candidate } from './candidate.ts'
import { type Asking, type CollectionWork } from './count-candidates.ts'
import { listDemands } from './demands.ts'
import { nameShape } from './name-shape.ts'

/** The operations of an application on one database. */
export type Workload = Pick<CallGroups, 'groups'> & {
  /** Whether their values are those of the application. */
  readonly values: 'known' | 'hidden'
}

/** Advice for a workload. */
export type Advice = {
  readonly collections: readonly CollectionAdvice[]
  /** Collections that operations name, and that the data do not have. */
  readonly missing: readonly string[]
  /** Size of the data on the copy, and of the cache of its server. */
  readonly megabytes: { readonly data: number; readonly cache: number }
}

export type AdviseLimits = AdviceLimits & {
  /** Documents of each collection to look at. */
  readonly sample: number
  /** Indexes that were decided on earlier. Default: none. */
  readonly accepted?: readonly Candidate[]
}

/** Counts on a copy of the data which indexes the operations need, and which of today's they do not need. */
export async function advise(db: Db, { groups, values }: Workload, limits: AdviseLimits): Promise<Advice> {
  const { accepted = [], sample, onProgress } = limits
  const asking: readonly Asking[] = groups.map((group) => ({
    name: nameShape(group.call),
    group,
    demands: listDemands(group.call),
  }))
  const listed = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()
  const there = new Set(listed.map(({ name }) => name))
  const named = asking.flatMap(({ demands }) => demands.map(({ collection }) => collection))
  const wanted = [...new Set([...named, ...accepted.map(({ collection }) => collection)])]
  const works: CollectionWork[] = []
  for (const collection of wanted.filter((name) => there.has(name)))
    works.push({
      profile: await sampleCollection(db, collection, sample),
      shapes: asking.filter(({ demands }) => demands.some((demand) => demand.collection === collection)),
      groups: groups.filter(({ call }) => call.collection === collection),
      values,
      accepted: accepted.filter((one) => one.collection === collection),
    })
  const sizes = works.map(({ profile, shapes }) => Math.max(1, profile.documents * shapes.length))
  const collections: CollectionAdvice[] = []
  for (const [i, work] of works.entries()) {
    const before = sum(sizes.slice(0, i))
    const onPart = (text: string, done: number): void =>
      onProgress(text, (before + done * (sizes[i] ?? 0)) / sum(sizes))
    collections.push(await adviseOnCollection(db, work, { ...limits, onProgress: onPart }))
  }
  return { collections, missing: wanted.filter((name) => !there.has(name)), megabytes: await readMegabytes(db) }
}

async function readMegabytes(db: Db): Promise<Advice['megabytes']> {
  const { dataSize = 0, indexSize = 0 } = await db.stats()
  const { wiredTiger } = await db.command({ serverStatus: 1 })
  const cache = (wiredTiger as { readonly cache?: Readonly<Record<string, number>> } | undefined)?.cache
  return {
    data: (Number(dataSize) + Number(indexSize)) / 1024 / 1024,
    cache: Number(cache?.['maximum bytes configured'] ?? 0) / 1024 / 1024,
  }
}
