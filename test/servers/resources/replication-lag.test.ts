import { expect, test } from 'vitest'
import { toMemberResources } from '../../../src/servers/resources/member-resources.ts'
import { observationOf, sampleAt } from './samples.ts'

const applied = (primary: number, secondary: number): ReadonlyMap<string, number> =>
  new Map(Object.entries({ 'a:1': primary, 'b:1': secondary }))
const primaryAt = (atMs: number, appliedMs: ReadonlyMap<string, number>) =>
  sampleAt(atMs, {}, { role: 'primary', setName: 'a:1', appliedMs })
const secondaryAt = (atMs: number) => sampleAt(atMs, {}, { role: 'secondary', setName: 'b:1' })

const window = (startMs: number) => ({ startMs, endMs: startMs + 2000, durationMs: 2000 })

test("a secondary's lag is the primary's word, matched by time since the window's start", () => {
  // The clocks of the two hosts are an hour apart.
  const hour = 3_600_000
  const [primary, secondary] = toMemberResources([
    observationOf([primaryAt(100, applied(5000, 4990)), primaryAt(1100, applied(6000, 5700))], window(0)),
    observationOf([secondaryAt(hour + 200), secondaryAt(hour + 1200)], window(hour)),
  ])
  expect(secondary?.perSecond.replicationLagMs).toEqual([10, 300])
  expect(secondary?.totals.replicationLagMs).toBe(300)
  expect(primary?.totals.replicationLagMs).toBeNull()
  expect(primary?.unavailable.replicationLagMs).toSay('lag-of-primary')
})

test('a primary that was a secondary just before the window is the primary', () => {
  const before = { ...secondaryAt(-4000), values: { replicationLagMs: 5 } }
  const [elected] = toMemberResources([observationOf([before, primaryAt(500, applied(5000, 5000))])])
  expect(elected?.totals.replicationLagMs).toBeNull()
  expect(elected?.unavailable.replicationLagMs).toSay('lag-of-primary')
})

test('a secondary that is known before the primary has stamped its own write does not lag', () => {
  const [, secondary] = toMemberResources([
    observationOf([primaryAt(500, applied(5000, 5003))]),
    observationOf([secondaryAt(500)]),
  ])
  expect(secondary?.totals.replicationLagMs).toBe(0)
})

test('without a report of the primary the lag is unknown', () => {
  const [secondary] = toMemberResources([observationOf([secondaryAt(500)])])
  expect(secondary?.totals.replicationLagMs).toBeNull()
  expect(secondary?.unavailable.replicationLagMs).toSay('lag-without-primary')
})

test('in a cluster each shard has its own primary, whose word alone counts for its secondaries', () => {
  const ofOther = new Map([['c:1', 5000]])
  const [, , secondary] = toMemberResources([
    observationOf([primaryAt(400, applied(5000, 4900))]),
    observationOf([sampleAt(500, {}, { role: 'primary', setName: 'c:1', appliedMs: ofOther })]),
    observationOf([secondaryAt(500)]),
  ])
  expect(secondary?.totals.replicationLagMs).toBe(100)
})
