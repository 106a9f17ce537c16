import path from 'node:path'
import { type Document } from 'mongodb'
import { expect, test } from 'vitest'
import { advise } from '../../../src/advise/advise.ts'
import { asCopy } from '../../../src/advise/place.ts'
import { createGrouping } from '../../../src/sources/init/profile/call-groups.ts'
import { aCall, aReplyOf, writeAll } from '../../traffic/calls.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

/** Advice for finds on a database of the shared server. */
function adviseOn(database: string, commands: readonly Document[], sample = 1000) {
  const grouping = createGrouping(database)
  for (const command of commands) grouping.add({ op: 'query', ns: `${database}.${String(command['find'])}`, command })
  const limits = { most: 5, smallest: 0.01, sample, signal: new AbortController().signal, onProgress: () => {} }
  return advise(
    asCopy(server.client.db(database), server.uri),
    { database: 'shop', groups: grouping.result().groups, values: 'known' },
    limits,
  )
}

test('views, time series and collections that are not there get no advice, and the answer names them', async () => {
  const db = server.client.db('advise_kinds')
  await db.dropDatabase()
  await db.createCollection('weather', { timeseries: { timeField: 'at' } })
  await db.collection('orders').insertMany(Array.from({ length: 300 }, (_, i) => ({ number: i })))
  await db.createCollection('recent', { viewOn: 'orders', pipeline: [] })
  const { collections, missing } = await adviseOn(
    'advise_kinds',
    ['weather', 'recent', 'carts', 'orders'].map((find) => ({ find, filter: { number: 7 } })),
  )
  expect(missing.toSorted()).toEqual(['carts', 'recent', 'weather'])
  expect(collections.map(({ profile: { collection } }) => collection)).toEqual(['orders'])
  await db.dropDatabase()
})

test('an index that the server does not build is a note, and so is a call that it does not take', async () => {
  const db = server.client.db('advise_refused')
  await db.dropDatabase()
  await db.collection('orders').insertMany(Array.from({ length: 300 }, (_, i) => ({ a: i, b: i, text: `t${i}` })))
  await db.collection<Document>('orders').insertOne({ a: [1, 2], b: [1, 2] })
  const { collections } = await adviseOn(
    'advise_refused',
    [
      { find: 'orders', filter: { a: 1, b: 1 } },
      { find: 'orders', filter: { $text: { $search: 't1' } } },
    ],
    10,
  )
  const notes = collections.flatMap((one) => one.notes).join('\n')
  expect(notes).toMatch(/\{.*\} was not built: cannot index parallel arrays/)
  // The name of the database is that of the user, not of the copy.
  expect(collections.map(({ profile }) => profile.database)).toEqual(['shop'])
  expect(notes).not.toContain('advise_refused')
  expect(notes).toMatch(/find \{\$text\} was not counted: .*text index/)
  await db.dropDatabase()
})

test('a recording without reads ends with a remedy, and one without values with an answer', async () => {
  await using place = await workplace()
  const insert = aCall({ insert: 'orders', documents: [{ _id: 1 }] }, { reply: aReplyOf({ n: 1 }) })
  await writeAll(path.join(place.folder, 'writes.mprec'), [insert])
  const writes = await place.run(['advise', 'writes.mprec', '--count-only', '--format', 'text'])
  expect(writes).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /There is nothing to advise on: no operation looks for documents\n.*Record an application while/,
    ),
  })
  const finds = Array.from({ length: 30 }, () =>
    aCall({ find: 'orders', filter: { customer: 'x' } }, { reply: aReplyOf({ documents: 2, bytes: 900 }) }),
  )
  await writeAll(path.join(place.folder, 'hidden.mprec'), finds, { values: 'shape' })
  const hidden = await place.run(['advise', 'hidden.mprec', '--count-only', '--format', 'text'])
  expect(hidden.stderr).not.toMatch(/\bat .*\.ts:\d+/)
  expect(hidden.stdout).toMatch(/Values of the\s+operations\s+are\s+hidden/)
  expect(place.servers()).toEqual([])
})
