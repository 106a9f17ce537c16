import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isAlive } from '../../../src/servers/targets/server/guardian/process-identity.ts'
import { reads, sides, untilSecondRound } from '../support/comparisons.ts'
import { nothingIsLeft, workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'

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
  expect(stdout).toContain('a verdict takes 6')
  for (const { status, variants } of await sides(place))
    expect([status, variants[0]?.status]).toEqual(['aborted', 'done'])
})
