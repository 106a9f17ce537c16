import { type Db } from 'mongodb'
import { sampleCollection } from '../sources/init/collection/sample-collection.ts'
import { type CallGroups } from '../sources/init/profile/call-groups.ts'
import { adviseOnCollection, type AdviceLimits, type Asking, type CollectionAdvice } from './advise-on-collection.ts'
import { listDemands } from './demands.ts'
import { nameShape } from './name-shape.ts'

/** The calls of an application on one database. */
export type Workload = Pick<CallGroups, 'groups'> & {
  /** Whether the values of the calls are those of the application. */
  readonly values: 'known' | 'hidden'
}

/** Advice for a workload. */
export type Advice = {
  readonly collections: readonly CollectionAdvice[]
  /** Collections that calls name, and that the data do not have. */
  readonly missing: readonly string[]
}

/** Counts on a copy of the data which indexes the calls need, and which of today's they do not need. */
export async function advise(db: Db, { groups, values }: Workload, limits: AdviceLimits): Promise<Advice> {
  const asking: readonly Asking[] = groups.map((group) => ({
    name: nameShape(group.call),
    group,
    demands: listDemands(group.call),
  }))
  const listed = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()
  const there = new Set(listed.map(({ name }) => name))
  const named = new Set(asking.flatMap(({ demands }) => demands.map(({ collection }) => collection)))
  const collections: CollectionAdvice[] = []
  for (const collection of named) {
    if (!there.has(collection)) continue
    limits.onProgress(`counting on ${collection}`)
    const profile = await sampleCollection(db, collection, limits.sample)
    const shapes = asking.filter(({ demands }) => demands.some((demand) => demand.collection === collection))
    const onIt = groups.filter(({ call }) => call.collection === collection)
    collections.push(await adviseOnCollection(db, { profile, shapes, groups: onIt, values }, limits))
  }
  return { collections, missing: [...named].filter((name) => !there.has(name)) }
}
