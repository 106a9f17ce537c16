import { expect, test } from 'vitest'
import { assignSlots } from '../../../src/traffic/replay/slots.ts'

const uses = new Map([
  [0, { firstUs: 0, lastUs: 10 }],
  [1, { firstUs: 5, lastUs: 20 }],
  [2, { firstUs: 11, lastUs: 30 }],
])

test('as recorded, a connection takes the place of one that is over', () => {
  const slots = assignSlots(uses, 'as-recorded')
  expect(slots.count).toBe(2)
  expect([0, 1, 2].map(slots.of)).toEqual([0, 1, 0])
})

test('of a number of connections, recorded ones take them in turn', () => {
  const slots = assignSlots(uses, 2)
  expect([0, 1, 2].map(slots.of)).toEqual([0, 1, 0])
  expect(slots.count).toBe(2)
})
