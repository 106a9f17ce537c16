import { expect, test } from 'vitest'
import { sharedPrimary } from '../../support/shared-servers.ts'
import { play, playOne } from './play.ts'
import { events, inserts, removeTwo } from './some-inserts.ts'

const server = sharedPrimary()

test('catches documents that are gone, and documents from nowhere', async () => {
  const count = { kind: 'countMatches', collection: 'events' }
  const untouched = await playOne(server.uri, inserts('count-held', [count]))
  expect(untouched).toMatchObject({ status: 'held', measures: { counted: 50, expectedLeast: 50, expectedMost: 50 } })
  const fewer = await playOne(server.uri, inserts('count-fewer', [count]), removeTwo)
  expect(fewer).toMatchObject({
    status: 'violated',
    evidence: [expect.toSay('count-check-differs', { there: 48, expected: 50 })],
  })
  const more = await playOne(server.uri, inserts('count-more', [count]), (db) => events(db).insertOne({ _id: 999 }))
  expect(more).toMatchObject({
    status: 'violated',
    evidence: [expect.toSay('count-check-differs', { there: 51, expected: 50 })],
  })
})

test('counts what was there, inserts, upserts and deletes, in steps and alone', async () => {
  const operations = [
    { kind: 'insertMany', documentsPerCall: 3 },
    { kind: 'deleteOne', filter: { _id: { '@pickRow': { count: 20 } } } },
    {
      kind: 'updateOne',
      filter: { _id: { '@int': { min: 900, max: 950 } } },
      update: { $set: { a: 1 } },
      upsert: true,
    },
    {
      kind: 'steps',
      name: 'both',
      steps: [{ kind: 'insertOne' }, { kind: 'findOneAndDelete', filter: { _id: { '@pickRow': {} } } }],
    },
  ]
  const spec = inserts('count-all', [{ kind: 'countMatches', collection: 'events' }], {
    operations,
    stopAfter: { operations: 200 },
    warmup: { operations: 20 },
  })
  const data = { collection: 'events', rows: 40, document: { _id: { '@row': {} } } }
  const found = await playOne(server.uri, { ...spec, data })
  expect(found).toMatchObject({ status: 'held', evidence: [] })
  expect(found.measures['counted']).toBeGreaterThan(40)
})

test('takes a number that the spec states', async () => {
  const [right, wrong] = await play(
    server.uri,
    inserts('count-stated', [
      { kind: 'countMatches', name: 'right', collection: 'events', expect: 50 },
      { kind: 'countMatches', name: 'wrong', collection: 'events', expect: 51 },
    ]),
  )
  expect([right?.status, wrong?.status]).toEqual(['held', 'violated'])
})
