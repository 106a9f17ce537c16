import { expect, test } from 'vitest'
import { targetSpec } from '../../../../src/servers/targets/index.ts'
import { linkedPairs, linkIssues, type LinkSpec } from '../../../../src/servers/targets/links/links-spec.ts'
import { oneRow } from '../../../fakes/a-spec.ts'

const link = (from: LinkSpec['from'], to: LinkSpec['to'], rttMs = 20): LinkSpec => ({ from, to, rttMs, jitterMs: 0 })

test('each of one side is linked with each of the other', () => {
  expect(linkedPairs([link(['client', 0], [1, 2]), link([1], [2], 7)])).toEqual([
    { from: 'client', to: 1, rttMs: 20, jitterMs: 0 },
    { from: 'client', to: 2, rttMs: 20, jitterMs: 0 },
    { from: 0, to: 1, rttMs: 20, jitterMs: 0 },
    { from: 0, to: 2, rttMs: 20, jitterMs: 0 },
    { from: 1, to: 2, rttMs: 7, jitterMs: 0 },
  ])
})

test.each<[string, readonly LinkSpec[]]>([
  ['none', []],
  ['every pair of three', [link(['client', 0], [1, 2]), link([1], [2]), link(['client'], [0])]],
])('nothing is wrong with %s', (_what, links) => {
  expect(linkIssues(links, 3)).toEqual([])
})

test('a pair that is linked twice is told at both places, whatever its direction', () => {
  expect(linkIssues([link([0], [2, 1]), link(['client', 1], [0])], 3)).toEqual([
    { path: [0, 'to', 1], message: 'member0 and member1 are linked in more than one place' },
    { path: [1, 'to', 0], message: 'member1 and member0 are linked in more than one place' },
  ])
})

test.each<[string, LinkSpec, object]>([
  ['itself', link([1], [0, 1]), { path: [0, 'to', 1], message: 'member1 would be linked with itself' }],
  ['itself, a client', link(['client'], ['client']), { message: 'client would be linked with itself' }],
  [
    'a member that the set does not have',
    link(['client'], [3]),
    { path: [0, 'to', 0], message: 'there is no member 3: the set has 3, counted from 0' },
  ],
])('an end is not linked with %s', (_what, wrong, fault) => {
  expect(linkIssues([wrong], 3)).toMatchObject([fault])
})

test('a link may be left out by a condition, and ask for nothing', () => {
  const links = [
    { when: false, from: ['client'], to: [9], rttMs: 5 },
    { from: [0], to: [1], rttMs: { '@param': 'rtt' } },
  ]
  const { spec } = oneRow({ parameters: { rtt: 0 }, target: { kind: 'replicaSet', members: 2, links } })
  expect(spec.target).toMatchObject({ links: [{ from: [0], to: [1], rttMs: 0, jitterMs: 0 }] })
})

test('a set whose spec says nothing of links has none, and so the same hash as before there were any', () => {
  expect(targetSpec.parse({ kind: 'replicaSet' })).not.toHaveProperty('links')
})

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
