import { expect, test } from 'vitest'
import { findSentInserts } from '../../../src/spec/plan/sent-inserts.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'

const insert = { kind: 'insertOne' }
const unanswered = { writeConcern: { w: 0 } }

function sent(operations: readonly object[], phase: object = unanswered, things: object = {}) {
  const { spec } = oneRow({
    data: { collection: 'things', document: { _id: { '@row': {} } }, ...things },
    phases: [aPhase({ operations, ...phase })],
  })
  return findSentInserts(spec.phases[0] ?? fail('no phase'), spec)
}

test('documents that are sent unacknowledged are counted in their collection', () => {
  const many = { kind: 'insertMany', documentsPerCall: 5 }
  expect(sent([insert, many])).toEqual({ collections: ['things'] })
  expect(sent([{ kind: 'steps', name: 'both', steps: [insert, { kind: 'findOne' }] }])).toEqual({
    collections: ['things'],
  })
})

test('calls that add and remove nothing do not disturb the count', () => {
  const change = { kind: 'updateMany', filter: {}, update: { $set: { n: 1 } } }
  expect(sent([insert, change, { kind: 'findOne' }])).toEqual({ collections: ['things'] })
})

test('nothing is counted where writes are acknowledged, or nothing is inserted', () => {
  expect(sent([insert], { writeConcern: { w: 1 } })).toBeUndefined()
  expect(sent([{ kind: 'deleteOne' }])).toBeUndefined()
})

test.each([
  ['deletes', [insert, { kind: 'deleteOne' }], {}, 'spec-count-beside-delete'],
  [
    'upserts',
    [insert, { kind: 'updateOne', filter: { _id: -1 }, update: { $set: { n: 1 } }, upsert: true }],
    {},
    'spec-count-beside-upsert',
  ],
  ['a capped collection', [insert], { options: { capped: true, size: 4096 } }, 'spec-count-of-capped'],
  [
    'documents that expire',
    [insert],
    { indexes: [{ key: { at: 1 }, expireAfterSeconds: 60 }] },
    'spec-count-of-expiring',
  ],
])('%s leave nothing to be told by a count', (_what, operations, things, code) =>
  expect(sent(operations, unanswered, things)).toEqual({ reason: expect.toSay(code) }),
)
