import { expect, test } from 'vitest'
import { targetSpec } from '../../../../src/servers/targets/index.ts'
import { linkedPairs, linkIssues, type LinkSpec } from '../../../../src/servers/targets/links/links-spec.ts'
import { oneRow } from '../../../fakes/a-spec.ts'

const link = (from: LinkSpec['from'], to: LinkSpec['to'], rttMs = 20): LinkSpec => ({ from, to, rttMs, jitterMs: 0 })

test('each of one side is linked with each of the other', () => {
  const pairs = linkedPairs([link(['client', 0], [1, 2]), link([1], [2], 7)])
  const shown = pairs.map(({ from, to, rttMs, jitterMs }) => `${from}-${to} ${rttMs} ${jitterMs}`)
  expect(shown).toEqual(['client-1 20 0', 'client-2 20 0', '0-1 20 0', '0-2 20 0', '1-2 7 0'])
})

test.each<[string, readonly LinkSpec[]]>([
  ['none', []],
  ['every pair of three', [link(['client', 0], [1, 2]), link([1], [2]), link(['client'], [0])]],
])('nothing is wrong with %s', (_what, links) => expect(linkIssues(links, 3)).toEqual([]))

const twice = (one: string, other: string): unknown => expect.toSay('link-given-twice', { one, other })

test('a pair that is linked twice is told at both places, whatever its direction', () =>
  expect(linkIssues([link([0], [2, 1]), link(['client', 1], [0])], 3)).toEqual([
    { path: [0, 'to', 1], message: twice('member0', 'member1') },
    { path: [1, 'to', 0], message: twice('member1', 'member0') },
  ]))

test.each([
  ['link-with-itself', { end: 'member1' }, link([1], [0, 1]), 1],
  ['link-with-itself', { end: 'client' }, link(['client'], ['client']), 0],
  ['link-to-no-member', { member: 3 }, link(['client'], [3]), 0],
])('an end is not linked wrongly: %s %j', (code, data, wrong, place) =>
  expect(linkIssues([wrong], 3)).toMatchObject([{ path: [0, 'to', place], message: expect.toSay(code, data) }]),
)

test('a link may be left out by a condition, and ask for nothing', () => {
  const leftOut = { when: false, from: ['client'], to: [9], rttMs: 5 }
  const links = [leftOut, { from: [0], to: [1], rttMs: { '@param': 'rtt' } }]
  const { spec } = oneRow({ parameters: { rtt: 0 }, target: { kind: 'replicaSet', members: 2, links } })
  expect(spec.target).toMatchObject({ links: [{ from: [0], to: [1], rttMs: 0, jitterMs: 0 }] })
})

test('a set whose spec says nothing of links has none, and so the same hash as before there were any', () =>
  expect(targetSpec.parse({ kind: 'replicaSet' })).not.toHaveProperty('links'))

test.each([
  ['jitter of a link to which nothing is added', { jitterMs: 1, rttMs: 0 }],
  ['a round trip that is shorter than a proxy can add', { rttMs: 0.4 }],
  ['a round trip below 0', { rttMs: -1 }],
  ['a round trip of minutes', { rttMs: 60_000 }],
  ['nobody at one side', { from: [], rttMs: 10 }],
])('%s is refused', (_what, fields) => {
  const links = [{ from: ['client'], to: [0], ...fields }]
  expect(targetSpec.safeParse({ kind: 'replicaSet', links }).success).toBe(false)
})
