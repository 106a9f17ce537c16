import { Binary, calculateObjectSize, Decimal128, Double, Long, ObjectId, serialize } from 'bson'
import { expect, test } from 'vitest'
import { type WatchedCommand } from '../../../src/load/engines/watch-commands.ts'
import { countReplies, sumExamined } from '../../../src/load/measure/call-work.ts'
import { aPlan } from '../../fakes/a-measurement.ts'

const aCommand = (reply: unknown, roundTrip = 1): WatchedCommand => ({
  requestId: 1,
  commandName: 'find',
  databaseName: 'shop',
  command: {},
  reply,
  roundTrip,
})

const order = {
  _id: new ObjectId(),
  customer: 'Größe',
  at: new Date(0),
  total: Decimal128.fromString('1.5'),
  items: [{ count: 1, price: new Double(1) }, { count: 2.5 }],
  number: Long.fromNumber(5),
  note: null,
  open: true,
  photo: new Binary(new Uint8Array(10)),
}

test('documents of all batches are counted with their bytes, decoded or not', () => {
  const first = aCommand({ cursor: { firstBatch: [order, order] } })
  const next = aCommand({ cursor: { nextBatch: [serialize(order)] } }, 2)
  const encoded = aCommand({ cursor: serialize({ firstBatch: [order], id: Long.ZERO, ns: 'shop.orders' }) })
  const last = aCommand({ cursor: serialize({ nextBatch: [order, order] }) }, 2)
  expect(countReplies([first, next, encoded, last])).toEqual({
    commands: 4,
    roundTrips: 2,
    docsReturned: 6,
    bytesReturned: 6 * calculateObjectSize(order),
  })
})

test('a document that was found and changed is returned, values are bytes alone, and writes and failures return nothing', () => {
  expect(countReplies([aCommand({ value: { _id: 1 } })])).toMatchObject({ docsReturned: 1, bytesReturned: 14 })
  expect(countReplies([aCommand({ values: [1, 2] })])).toMatchObject({ docsReturned: 0, bytesReturned: 8 })
  const nothing = { docsReturned: 0, bytesReturned: 0 }
  expect(countReplies([aCommand({ n: 1, nModified: 1 }), aCommand({ value: null })])).toMatchObject(nothing)
  expect(countReplies([aCommand(undefined)])).toMatchObject({ ...nothing, commands: 1 })
  expect(countReplies([])).toEqual({ ...nothing, commands: 0, roundTrips: 0 })
})

test('what plans examined is added up, and is not known where one of them is not', () => {
  const plan = aPlan({ figures: { docsExamined: 2, keysExamined: 3, docsReturned: 1 } })
  expect(sumExamined([plan, plan])).toEqual({ docsExamined: 4, keysExamined: 6 })
  expect(sumExamined([])).toEqual({ docsExamined: 0, keysExamined: 0 })
  expect(sumExamined([plan, aPlan({ figures: 'too late' })])).toEqual({ docsExamined: null, keysExamined: null })
})
