import { expect, test } from 'vitest'
import { sharedPrimary } from '../../support/shared-servers.ts'
import { play } from './play.ts'
import { inserts } from './some-inserts.ts'

const server = sharedPrimary()

test('compares what a pipeline gives, numbers by value', async () => {
  const pipeline = [
    { $match: { _id: { $lt: 2 } } },
    { $sort: { _id: 1 } },
    { $set: { half: { $divide: ['$_id', 2] } } },
  ]
  const expect0 = [
    { _id: { $numberLong: '0' }, half: 0 },
    { _id: 1, half: 0.5 },
  ]
  const [held, ...wrong] = await play(
    server.uri,
    inserts('query', [
      { kind: 'query', name: 'held', collection: 'events', pipeline, expect: expect0 },
      { kind: 'query', name: 'short', collection: 'events', pipeline, expect: expect0[0] },
      { kind: 'query', name: 'other', collection: 'events', pipeline, expect: [expect0[0], { _id: 1, half: 1 }] },
    ]),
  )
  expect(held).toMatchObject({ status: 'held', measures: { documents: 2, expected: 2, differences: 0 } })
  expect(wrong.map(({ status, evidence }) => [status, evidence])).toEqual([
    ['violated', [expect.toSay('query-document-extra', { number: 2, document: '{"_id":1,"half":0.5}' })]],
    [
      'violated',
      [
        expect.toSay('query-document-differs', {
          number: 2,
          document: '{"_id":1,"half":0.5}',
          expected: '{"_id":1,"half":1}',
        }),
      ],
    ],
  ])
})

test('a check that the server refuses is not checked, with the reason, and the others are', async () => {
  const [broken, held] = await play(
    server.uri,
    inserts('refused', [
      { kind: 'query', collection: 'events', pipeline: [{ $nonsense: 1 }], expect: [] },
      { kind: 'countMatches', collection: 'events' },
    ]),
  )
  expect(broken).toMatchObject({ status: 'not-checked', measures: {} })
  expect(broken?.reason).toContain('$nonsense')
  expect(held?.status).toBe('held')
})
