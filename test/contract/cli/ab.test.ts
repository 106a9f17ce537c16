import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type ResultComparison } from '../../../src/report/comparison/comparison.ts'
import { isAlive } from '../../../src/servers/targets/server/guardian/process-identity.ts'
import { reads, sides, untilSecondRound } from '../support/comparisons.ts'
import { nothingIsLeft, workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { ownTarget } from '../support/specs.ts'

const server = sharedServer()

/** Another version of the driver, which a package of ours depends on. */
const otherDriver = fileURLToPath(
  new URL('../../../node_modules/mongodb-memory-server-core/node_modules/mongodb', import.meta.url),
)

test('rounds are added until it is clear or the budget is spent', async () => {
  await using place = await workplace(server)
  const file = await place.spec(reads())
  const args = ['--b', 'workers=1', '--until-clear', '--budget', '2s', '--out', 'out', '--format', 'json']
  const { stdout, stderr, code } = await place.run(['ab', file, ...args])
  expect([code, stderr]).toEqual([0, expect.toHaveLine('ab-budget-spent')])
  expect(JSON.parse(stdout)).toMatchObject({ rounds: ['sequential'], settings: { a: [], b: ['workers=1'] } })
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
  const { figures, stretches } = JSON.parse(stdout) as ResultComparison
  expect(figures).toMatchObject([{ rounds: 'stretches', verdict: { kind: 'lower', effect: 'worse' } }])
  const [a, b] = await sides(place)
  const starts = (a?.pairing?.stretches?.rounds ?? []).length / 3
  expect(stretches).toMatchObject({ rounds: 3, pairs: 3 * starts })
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

test('a side has its own driver, and so has a run', async () => {
  await using place = await workplace(server)
  const file = await place.spec(reads())
  await place.run(['ab', file, '--b', `driver:${otherDriver}`, '--rounds', '1', '--out', 'out'])
  const [a, b] = await sides(place)
  const { version } = JSON.parse(await readFile(path.join(otherDriver, 'package.json'), 'utf8')) as { version: string }
  expect(b?.environment.driver.version).toBe(version)
  expect(a?.environment.driver.version).not.toBe(version)
  expect((await place.run(['run', file, '--driver', otherDriver])).code).toBe(0)
  expect((await place.result('few-reads')).environment.driver.version).toBe(version)
  const folder = path.dirname(otherDriver)
  expect((await place.run(['run', file, '--driver', folder])).stderr).toSay('driver-not-found', { folder })
})

test('a side whose server is not there ends it in the first round, and gives no password away', async () => {
  await using place = await workplace(server)
  const file = await place.spec(reads())
  const uri = 'mongodb://root:s3cret!pw@127.0.0.1:9/?serverSelectionTimeoutMS=300'
  const { stdout, stderr, code } = await place.run(['ab', file, '--b', `uri:${uri}`, '--rounds', '6', '--out', 'out'])
  expect([stdout, code, stderr]).toEqual(['', 4, expect.toSay('ab-side-failed', { side: 'B', server: '127.0.0.1:9' })])
  expect(await nothingIsLeft(place)).toBe(true)
})

test('Ctrl-C keeps the rounds that are done, and leaves no server', async () => {
  await using place = await workplace()
  const { stop, ended, own } = await untilSecondRound(place)
  stop()
  const { code, stdout } = await ended
  expect(code).toBe(130)
  expect(isAlive(own)).toBe(false)
  expect(await nothingIsLeft(place)).toBe(true)
  expect(stdout).toContain('no verdict yet (5 more rounds needed)')
  for (const { status, variants } of await sides(place))
    expect([status, variants[0]?.status]).toEqual(['aborted', 'done'])
})
