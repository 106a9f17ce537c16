import { expect, test } from 'vitest'
import { type Candidate, formatKey } from '../../../src/advise/candidate.ts'
import { choose, computeWork } from '../../../src/advise/choose.ts'
import { countCandidates } from '../../../src/advise/count-candidates.ts'
import { toAsking } from '../../../src/advise/demands.ts'
import { asCopy } from '../../../src/advise/place.ts'
import { sampleCollection } from '../../../src/sources/init/collection/sample-collection.ts'
import { prepare, workloads } from '../../contract/advise/workloads.ts'
import { sharedServer } from '../../contract/support/shared-servers.ts'

const server = sharedServer()

const limits = { most: 5, smallest: 0.01 }

test.each(workloads)('$name: no set of up to two candidates takes less work than the chosen one', async (workload) => {
  const db = server.client.db(`advise_least_${workloads.indexOf(workload)}`)
  const groups = await prepare(db, workload)
  const asking = groups.map(toAsking)
  for (const collection of ['orders', 'customers']) {
    const profile = await sampleCollection(db, collection, 1000)
    const shapes = asking.filter(({ demands }) => demands.some((demand) => demand.collection === collection))
    const onIt = groups.filter(({ call }) => call.collection === collection)
    const work = { profile, shapes, groups: onIt, values: 'known', accepted: [] } as const
    const { counted } = await countCandidates(asCopy(db, server.uri), work, {
      signal: new AbortController().signal,
      onProgress: () => {},
    })
    const candidates = [...new Set(counted.options.flat())]
    const sets: readonly (readonly Candidate[])[] = [
      [],
      ...candidates.map((one) => [one]),
      ...candidates.flatMap((one, i) => candidates.slice(i + 1).map((other) => [one, other])),
    ]
    const chosen = choose(counted, limits)
    const allowed = computeWork(counted, chosen) - limits.smallest * computeWork(counted, [])
    const better = sets.filter((set) => computeWork(counted, set) < allowed)
    expect(better.map((set) => set.map(({ key }) => formatKey(key)))).toEqual([])
  }
  await db.dropDatabase()
})
