import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { comesTrue, soonMs } from '../../bench/start/wait.ts'
import { type ResultComparison } from '../../src/report/comparison/comparison.ts'
import { isAlive } from '../../src/servers/targets/server/guardian/process-identity.ts'
import { reads, sides, untilSecondRound } from '../contract/support/comparisons.ts'
import { nothingIsLeft, workplace } from '../contract/support/program.ts'
import { ownTarget } from '../contract/support/specs.ts'

test('six rounds of two engines have verdicts, which compare finds again in their files', async () => {
  await using place = await workplace()
  const file = await place.spec({ ...reads(), ...ownTarget })
  const ran = await place.run(['ab', file, '--b', 'engine:wire', '--rounds', '6', '--out', 'out', '--format', 'github'])
  expect([0, 5]).toContain(ran.code)
  expect(ran.stdout.split(/(?<=\.) |\n/)).toHaveLine('ab-ran-in-turn')
  expect(ran.stdout).toMatch(/^A: the spec\. B: engine:wire\. /m)
  expect(ran.stdout).toHaveLine('ab-engine-differs', { ofA: 'driver', ofB: 'wire' })
  expect(ran.stderr).toMatch(/round 1 of 6 done, about .* left\n.*round 6 of 6 done\nReport: out/s)
  expect(await nothingIsLeft(place)).toBe(true)

  const [a, b] = await sides(place)
  for (const result of [a, b]) expect(result?.variants.map(({ run }) => run)).toEqual([1, 2, 3, 4, 5, 6])
  expect(a?.variants[0]?.phases[0]?.engine).toBe('driver')
  expect(b?.variants[0]?.phases[0]?.engine).toBe('wire')
  expect(b?.pairing).toMatchObject({ id: a?.pairing?.id, first: a?.pairing?.first })
  // All of them ran on one server.
  const variants = [a, b].flatMap((result) => result?.variants ?? [])
  expect(variants.map(({ servers }) => servers).toSorted()).toEqual(['fresh', ...Array<string>(11).fill('kept')])
  expect(new Set(variants.map(({ commands: [, mongod] }) => mongod)).size).toBe(1)
  expect(variants.map(({ data }) => data[0]?.source)).toEqual(variants.map(() => 'generated'))

  const again = await place.run(['compare', 'out/a', 'out/b', '--difference', 'engine', '--format', 'github'])
  expect([again.stdout, again.code]).toEqual([ran.stdout, ran.code])
  expect((await readdir(path.join(place.folder, 'out'))).toSorted()).toEqual([
    'a',
    'b',
    'comparison-dark.png',
    'comparison.html',
    'comparison.md',
    'comparison.png',
  ])
})

test('a side that is killed ends it with a hint, keeps the rounds that are done, and leaves no server', async () => {
  await using place = await workplace()
  // Servers that are kept do not belong to the process of a side.
  const { ended, own } = await untilSecondRound(place, ['--fresh-servers'])
  process.kill(own.owner.pid, 'SIGKILL')
  const { code, stderr } = await ended
  expect(code).toBe(4)
  expect(
    stderr
      .replace(/error: [AB]/, 'error: SIDE')
      .split('\n')
      .slice(-3),
  ).toSay('ab-side-killed', { signal: 'SIGKILL' })
  expect(await comesTrue(() => !isAlive(own), soonMs)).toBe(true)
  expect(await comesTrue(() => nothingIsLeft(place), soonMs)).toBe(true)
  for (const { variants } of await sides(place)) expect(variants[0]?.status).toBe('done')
})

test('--fresh-servers has each run start its own', async () => {
  await using place = await workplace()
  const file = await place.spec({ ...reads({ stopAfter: { operations: 20 } }), ...ownTarget })
  await place.run(['ab', file, '--b', 'workers=1', '--rounds', '1', '--out', 'out', '--fresh-servers'])
  const uses = (await sides(place)).map(({ variants }) => variants.map(({ servers }) => servers))
  expect(uses).toEqual([['fresh'], ['fresh']])
})

test('kept servers that are killed end it with what ended them', async () => {
  await using place = await workplace()
  const { ended, own } = await untilSecondRound(place)
  process.kill(own.pid, 'SIGKILL')
  const { code, stderr } = await ended
  expect([code, stderr]).toEqual([4, expect.stringMatching(/error: [AB] failed in round \d: .*member0.*SIGKILL/s)])
  expect(await nothingIsLeft(place)).toBe(true)
})

test('stretches of both sides alternate on one server, and find the reads that are longer', async () => {
  await using place = await workplace()
  const spec = {
    ...reads(),
    ...ownTarget,
    parameters: { limit: 1 },
    data: { collection: 'docs', rows: 2000, document: { _id: { '@row': {} }, name: { '@string': { length: 200 } } } },
    phases: [
      {
        name: 'read',
        load: { kind: 'closed', workers: 4 },
        stopAfter: { seconds: 30 },
        operations: [{ kind: 'find', filter: {}, limit: { '@param': 'limit' } }],
      },
    ],
  }
  const args = ['--b', 'limit=2000', '--budget', '1s', '--measure', 'opsPerSecond', '--out', 'out', '--format', 'json']
  const { stdout, stderr, code } = await place.run(['ab', await place.spec(spec), ...args])
  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(/round 3 of 3, \d+ pairs: read: Throughput \(ops\/s\) B \/ A 0\./),
  ])
  const { figures, turns } = JSON.parse(stdout) as ResultComparison
  expect(figures).toMatchObject([{ rounds: 'turns', verdict: { kind: 'lower', effect: 'worse' } }])
  const [a, b] = await sides(place)
  const starts = (a?.pairing?.turns?.rounds ?? []).length / 3
  expect(turns).toMatchObject({ rounds: 3, pairs: 3 * starts })
  for (const result of [a, b]) expect(result?.variants.every(({ phases }) => phases.length === 1)).toBe(true)
  // One server for both in each round, and another one in the next.
  const servers = [a, b].map((result) => result?.variants.map(({ commands: [, mongod] }) => mongod))
  expect(servers[0]).toEqual(servers[1])
  expect(new Set(servers[0]).size).toBe(3)
  // Neither sends while the other one does.
  const windows = [a, b].flatMap((result) => (result?.variants ?? []).map(({ phases: [phase] }) => phase))
  const times = windows
    .map((phase) => ({ from: Date.parse(phase?.startedAt ?? ''), seconds: phase?.wallSeconds ?? 0 }))
    .toSorted((one, other) => one.from - other.from)
  for (const [index, { from, seconds }] of times.slice(0, -1).entries())
    expect(times[index + 1]?.from).toBeGreaterThanOrEqual(Math.floor(from + 1000 * seconds) - 1)
  expect(await nothingIsLeft(place)).toBe(true)
})
