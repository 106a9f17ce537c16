import { ObjectId } from 'bson'
import { expect, test } from 'vitest'
import { createPrimaryStrip, readState } from '../../../src/servers/faults/injection/watch-servers.ts'

const primary = (term: number) => ({ role: 'primary', term }) as const
const secondary = { role: 'secondary', term: null } as const

/** Both members as they begin: the first is primary in term 1. */
function begun() {
  const strip = createPrimaryStrip(['member0', 'member1'])
  strip.note('member0', 10, primary(1))
  strip.note('member1', 11, secondary)
  return strip
}

test('nobody is said to be primary before everybody was asked', () => {
  const strip = createPrimaryStrip(['member0', 'member1'])
  strip.note('member1', 5, secondary)
  expect(strip.entries()).toEqual([])
  strip.note('member0', 10, undefined)
  expect(strip.entries()).toEqual([{ atMs: 10, member: null, term: null }])
})

test('a primary that says nothing any more is none since it was asked in vain', () => {
  const strip = begun()
  strip.note('member1', 60, secondary)
  strip.note('member0', 40, undefined)
  strip.note('member1', 90, primary(2))
  expect(strip.entries()).toEqual([
    { atMs: 11, member: 'member0', term: 1 },
    { atMs: 40, member: null, term: null },
    { atMs: 90, member: 'member1', term: 2 },
  ])
  expect(strip.now(new Set(['']))).toEqual({ member: 'member1', term: 2 })
})

test('what is learnt late does not go before what is known', () => {
  const strip = begun()
  strip.note('member1', 90, primary(2))
  strip.note('member1', 50, undefined)
  expect(strip.entries().map(({ atMs }) => atMs)).toEqual([11, 90, 90])
})

test('of two primaries the later term counts, and what stays the same is told once', () => {
  const strip = begun()
  strip.note('member0', 20, primary(1))
  strip.note('member1', 30, primary(2))
  strip.note('member0', 40, primary(1))
  strip.note('member1', 50, primary(2))
  expect(strip.entries()).toMatchObject([{ member: 'member0' }, { atMs: 30, member: 'member1', term: 2 }])
})

test('a fault in one shard has the primary of that shard, and one in several has none', () => {
  const names = ['shard0/member0', 'shard1/member0', 'shard1/member1']
  const strip = createPrimaryStrip(names)
  for (const [name, state] of [
    [names[0], primary(9)],
    [names[1], secondary],
    [names[2], primary(3)],
  ] as const)
    strip.note(String(name), 10, state)
  expect(strip.now(new Set(['shard0']))).toEqual({ member: 'shard0/member0', term: 9 })
  expect(strip.now(new Set(['shard1']))).toEqual({ member: 'shard1/member1', term: 3 })
  expect(strip.now(new Set(['shard0', 'shard1']))).toEqual({ member: null, term: null })
})

const without = (role: string) => ({ role, term: null })

test.each([
  [{ setName: 's', isWritablePrimary: true, electionId: new ObjectId('7fffffff000000000000002a') }, primary(42)],
  [{ setName: 's', isWritablePrimary: true }, without('primary')],
  [{ setName: 's', secondary: true }, secondary],
  [{ setName: 's', arbiterOnly: true }, without('arbiter')],
  [{ setName: 's' }, without('other')],
  [{ isWritablePrimary: true }, without('standalone')],
  [{}, without('other')],
])('a server says of itself in %j what it is', (reply, said) => expect(readState(reply)).toEqual(said))
