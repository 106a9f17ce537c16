import { BSON, Long } from 'mongodb'
import { expect, test } from 'vitest'
import { createReader } from '../../../../src/load/engines/driver/replies.ts'

const document = BSON.serialize({ name: 'a', count: Long.fromNumber(5), sub: { list: [1, 2] } })

/** A reader that keeps what it decoded. */
function setUp(defaults = {}) {
  const decoded: unknown[] = []
  const read = createReader(defaults, (bson, options) => decoded.push(BSON.deserialize(bson, options)))
  return { read, decoded }
}

test('a document is asked for raw and decoded in full', () => {
  const { read, decoded } = setUp()
  const { options, decode } = read(undefined)
  expect(options).toEqual({ raw: true })
  decode(document)
  expect(decoded).toEqual([{ name: 'a', count: 5, sub: { list: [1, 2] } }])
})

test("the operation's own options are sent and decide how to decode", () => {
  const { read, decoded } = setUp()
  const { options, decode } = read({ limit: 3, promoteLongs: false })
  expect(options).toEqual({ limit: 3, promoteLongs: false, raw: true })
  decode(document)
  expect(decoded).toEqual([{ name: 'a', count: Long.fromNumber(5), sub: { list: [1, 2] } }])
})

test("the client's options decide where the operation says nothing", () => {
  const { read, decoded } = setUp({ promoteLongs: false })
  read({ limit: 3 }).decode(document)
  expect(decoded).toEqual([expect.objectContaining({ count: Long.fromNumber(5) })])
})

test('other options of another call are not mixed up', () => {
  const { read } = setUp()
  const one = { limit: 1 }
  expect([read(one), read({ limit: 2 }), read(one)].map(({ options }) => options)).toEqual([
    { limit: 1, raw: true },
    { limit: 2, raw: true },
    { limit: 1, raw: true },
  ])
})
