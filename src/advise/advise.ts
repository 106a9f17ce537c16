import { type Db } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { suggestion } from '../language/issues.ts'
import { sum } from '../metrics/statistics.ts'
import { sampleCollection } from '../sources/init/collection/sample-collection.ts'
import { adviseOnCollection, type AdviceLimits, type CollectionAdvice } from './advise-on-collection.ts'
import { requireHidden } from './build-hidden.ts'
import { type Candidate } from './candidate.ts'
import { type CollectionWork } from './count-candidates.ts'
import { toAsking } from './demands.ts'
import { type Place } from './place.ts'
import { type Workload } from './workload.ts'

/** Advice for a workload. */
export type Advice = {
  readonly collections: readonly CollectionAdvice[]
  /** Collections that operations name, and that the data do not have. */
  readonly missing: readonly string[]
  /** Size of the data on the copy, and of the cache of its server (0: not known). */
  readonly megabytes: { readonly data: number; readonly cache: number }
}

export type AdviseLimits = AdviceLimits & {
  /** Documents of each collection to look at. */
  readonly sample: number
  /** Indexes that were decided on earlier. Default: none. */
  readonly accepted?: readonly Candidate[]
}

/** Counts on a copy of the data which indexes the operations need, and which of today's they do not need. */
export async function advise(
  place: Omit<Place, typeof Symbol.asyncDispose>,
  { database, groups, values, question }: Pick<Workload, 'database' | 'groups' | 'values' | 'question'>,
  limits: AdviseLimits,
): Promise<Advice> {
  const { db, requirePermission } = place
  const { accepted = [], sample, onProgress } = limits
  const asking = groups.map(toAsking)
  requireHidden(String((await db.command({ buildInfo: 1 }))['version']))
  const listed = await db.listCollections({}, { nameOnly: true }).toArray()
  const kinds = new Map(
    listed.map(({ name, type }) => [name, type === 'timeseries' ? 'a time series' : `a ${type ?? 'collection'}`]),
  )
  const named = asking.flatMap(({ demands }) => demands.map(({ collection }) => collection))
  const wanted = [...new Set([...named, ...accepted.map(({ collection }) => collection)])]
  const there = wanted.filter((name) => kinds.get(name) === 'a collection')
  const missing = wanted.filter((name) => !there.includes(name))
  if (wanted.length === 0) throw nothingSought()
  if (there.length === 0) throw nothingThere(database, missing, kinds)
  await requirePermission(there)
  const works: CollectionWork[] = []
  for (const collection of there)
    works.push({
      // A copy has a name of its own.
      profile: { ...(await sampleCollection(db, collection, sample)), database },
      shapes: asking.filter(({ demands }) => demands.some((demand) => demand.collection === collection)),
      groups: groups.filter(({ call }) => call.collection === collection),
      values,
      accepted: accepted.filter((one) => one.collection === collection),
      question,
    })
  const sizes = works.map(({ profile, shapes }) => Math.max(1, profile.documents * shapes.length))
  const collections: CollectionAdvice[] = []
  for (const [i, work] of works.entries()) {
    const before = sum(sizes.slice(0, i))
    const onPart = (text: string, done: number): void =>
      onProgress(text, (before + done * (sizes[i] ?? 0)) / sum(sizes))
    const { notes, ...advice } = await adviseOnCollection(place, work, { ...limits, onProgress: onPart })
    collections.push({ ...advice, notes: notes.map((note) => note.replaceAll(`${db.databaseName}.`, `${database}.`)) })
  }
  return { collections, missing, megabytes: await readMegabytes(db) }
}

const nothingSought = (): Problem =>
  new Problem('usage', 'There is nothing to advise on: no operation looks for documents', {
    hint: 'Record an application while it reads, updates or deletes: indexes are for that.',
  })

/** Nothing that operations name is a collection of the data. */
function nothingThere(database: string, missing: readonly string[], kinds: ReadonlyMap<string, string>): Problem {
  const texts = missing.map(
    (name) => `"${database}.${name}" is ${kinds.get(name) ?? `not there${suggestion(name, kinds.keys())}`}`,
  )
  return new Problem('usage', `There is nothing to advise on: ${texts.join('; ')}`, {
    hint: 'Name a collection: indexes of views and time series cannot be tried.',
  })
}

async function readMegabytes(db: Db): Promise<Advice['megabytes']> {
  const { dataSize = 0, indexSize = 0 } = await db.stats()
  // A user who may read documents need not see the status.
  const { wiredTiger } = await db.command({ serverStatus: 1 }).catch(() => ({ wiredTiger: undefined }))
  const cache = (wiredTiger as { readonly cache?: Readonly<Record<string, number>> } | undefined)?.cache
  return {
    data: (Number(dataSize) + Number(indexSize)) / 1024 / 1024,
    cache: Number(cache?.['maximum bytes configured'] ?? 0) / 1024 / 1024,
  }
}
