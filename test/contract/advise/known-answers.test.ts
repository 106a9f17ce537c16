import { expect, test } from 'vitest'
import { advise } from '../../../src/advise/advise.ts'
import { formatKey } from '../../../src/advise/candidate.ts'
import { asCopy } from '../../../src/advise/place.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { prepare, workloads } from './workloads.ts'

const server = sharedServer()

test.each(workloads)('$name', async (workload) => {
  const { create, drop = [], note = /^$/ } = workload
  const db = server.client.db(`advise_${workloads.indexOf(workload)}`)
  const groups = await prepare(db, workload)
  const { collections } = await advise(
    asCopy(db, server.uri),
    { database: db.databaseName, groups, values: 'known' },
    { most: 5, smallest: 0.01, sample: 1000, signal: new AbortController().signal, onProgress: () => {} },
  )
  const created = collections.flatMap((one) =>
    one.create.map(({ collection, key, options: { partialFilterExpression: where, collation } }) =>
      [
        `${collection} ${formatKey(key)}`,
        ...(where === undefined ? [] : [`where ${JSON.stringify(where)}`]),
        ...(collation === undefined ? [] : [`in ${String(collation['locale'])}`]),
      ].join(' '),
    ),
  )
  expect(created.toSorted()).toEqual(create)
  expect(collections.flatMap((one) => one.drop.map((index) => index.name))).toEqual(drop)
  expect(collections.flatMap(({ notes }) => notes).join('\n')).toMatch(note)
  await db.dropDatabase()
})
