import { expect, test } from 'vitest'
import {
  describeDurability,
  type Voters,
  countVoters,
  weakest,
  whyLossIsAllowed,
} from '../../../src/servers/checks/durability.ts'

const set = (voting: number, arbiters = 0, othersWithData = 0): Voters => ({
  voting,
  votingWithData: voting - arbiters,
  othersWithData,
})

test.each<[string, { w?: unknown; j?: boolean }, Voters | null, string]>([
  ['a majority', { w: 'majority' }, set(3), 'kept'],
  ['nothing said, which is a majority', {}, set(3), 'kept'],
  ['a majority without its journal', { w: 'majority', j: false }, set(3), 'crash'],
  ['1 of three', { w: 1 }, set(3), 'rollback'],
  ['1 of three, in the journal', { w: 1, j: true }, set(3), 'rollback'],
  ['2 of three', { w: 2 }, set(3), 'crash'],
  ['2 of three, in the journal', { w: 2, j: true }, set(3), 'kept'],
  ['1 of one', { w: 1 }, set(1), 'crash'],
  ['1 of one, in the journal', { w: 1, j: true }, set(1), 'kept'],
  ['1 of two with an arbiter', { w: 1, j: true }, set(3, 1), 'rollback'],
  ['2 of two with an arbiter', { w: 2, j: true }, set(3, 1), 'kept'],
  ['1, where the other is an arbiter', { w: 1, j: true }, set(2, 1), 'kept'],
  ['2, one of which may have no vote', { w: 2, j: true }, set(3, 0, 1), 'rollback'],
  ['3, one of which may have no vote', { w: 3, j: true }, set(3, 0, 1), 'kept'],
  ['2 of five', { w: 2, j: true }, set(5), 'rollback'],
  ['a mode of tags', { w: 'twoPlaces' }, set(3), 'unknown'],
  ['a number, where nobody knows the members', { w: 2 }, null, 'unknown'],
  ['a majority, where nobody knows the members', { w: 'majority' }, null, 'kept'],
])('a write concern promises %s', (_what, concern, voters, kind) =>
  expect(describeDurability(concern, voters).kind).toBe(kind),
)

test('the members of a set are counted by vote and data', () => {
  const members = [{ votes: 1 }, {}, { votes: 1, arbiterOnly: true }, { votes: 0, hidden: true }]
  expect(countVoters(members)).toEqual({ voting: 3, votingWithData: 2, othersWithData: 1 })
})

test('of several phases the one counts that promises least', () => {
  const [kept, rollback] = [describeDurability({ w: 'majority' }, set(3)), describeDurability({ w: 1 }, set(3))]
  expect(weakest([kept, rollback, kept])).toBe(rollback)
  expect(weakest([]).kind).toBe('kept')
})

const why = (concern: object, crashed: boolean) => whyLossIsAllowed(describeDurability(concern, set(3)), crashed)

test('a loss is allowed only where the promise was none', () => {
  expect(why({ w: 'majority' }, true)).toBeNull()
  expect(why({ w: 2 }, false)).toBeNull()
  expect(why({ w: 2 }, true)).toSay('loss-without-journal', { concern: '{"w": 2}' })
  expect(why({ w: 1 }, false)).toSay('loss-without-majority', { concern: '{"w": 1}', voters: 3 })
  expect(why({ w: 'tag' }, false)).toSay('loss-unknown', { mode: 'tag' })
})
