import { expect, test } from 'vitest'
import { comesTrue, soonMs } from '../../bench/start/wait.ts'
import { systemClock } from '../../src/core/clock.ts'
import { isAlive } from '../../src/servers/targets/server/guardian/process-identity.ts'
import { guardianOf } from '../contract/support/guardian-of.ts'
import { moments, resultOfRows, untilSecondRow } from '../contract/support/interrupt.ts'
import { nothingIsLeft, workplace } from '../contract/support/program.ts'
import { ownTarget, threeRows } from '../contract/support/specs.ts'
import { readText } from '../texts/golden.ts'

test('SIGTERM ends a run as Ctrl-C does, and twice at once is once, as it comes under npx', async () => {
  await using place = await workplace()
  const { child, ended, server } = await untilSecondRow(place, moments[2], place.start)
  // Two that differ, and in one go: of two alike the kernel keeps one, and the time between them is our own pace.
  child.kill('SIGTERM')
  child.kill('SIGINT')
  const { code, stdout } = await ended
  expect(code).toBe(130)
  expect(isAlive(server)).toBe(false)
  expect(stdout).toMatch(/\| (?:✗ )?second /)
})

test('a check has nothing to keep: SIGTERM ends it at once, whatever it does', async () => {
  await using place = await workplace()
  const file = await place.spec({ name: 'checked' })
  const kill = `import fs from 'node:fs/promises'
    import { syncBuiltinESMExports } from 'node:module'
    const { readFile } = fs
    fs.readFile = (...args) => {
      if (String(args[0]).endsWith('checked.json')) process.kill(process.pid, 'SIGTERM')
      return readFile(...args)
    }
    syncBuiltinESMExports()`
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(kill)}`]
  const { child, ended } = place.start(['check', file], {}, nodeArgs)
  expect(await ended).toEqual({ code: null, stdout: '', stderr: '' })
  expect(child.signalCode).toBe('SIGTERM')
})

test('a second Ctrl-C ends at once what a first one would still wait for', async () => {
  await using place = await workplace()
  const { child, ended, says, server } = await untilSecondRow(place, moments[2], place.start)
  // A server that hangs holds the call in flight until its deadline of 30 s.
  process.kill(server.pid, 'SIGSTOP')
  child.kill('SIGINT')
  await says(readText('run-stop-repeat', { signal: 'SIGINT' }))
  await systemClock.sleep(400)
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
  expect(await comesTrue(() => !isAlive(server), soonMs)).toBe(true)
  expect(await comesTrue(() => nothingIsLeft(place), soonMs)).toBe(true)
})

test('a client that was stopped for a while, as by a suspended laptop, does not compare', async () => {
  await using place = await workplace()
  const { child, ended } = await untilSecondRow(place, { words: 'second read █', slow: { seconds: 5 } }, place.start)
  child.kill('SIGSTOP')
  await systemClock.sleep(1_500)
  child.kill('SIGCONT')
  expect((await ended).code).toBe(0)
  const { variants } = await resultOfRows(place)
  expect(variants[1]?.phases[0]?.warnings.map(({ code }) => code)).toContain('client-stood-still')
})

test.each(moments)('kill -9 in $moment leaves a whole result, and soon no server and no data', async (moment) => {
  await using place = await workplace()
  const { child, ended, server } = await untilSecondRow(place, moment, place.start)
  expect(isAlive(server)).toBe(true)
  child.kill('SIGKILL')
  await ended
  expect(await comesTrue(() => !isAlive(server), soonMs)).toBe(true)
  expect(await comesTrue(() => nothingIsLeft(place), soonMs)).toBe(true)
  const { status, variants } = await resultOfRows(place)
  const rows = variants.map((variant) => `${variant.label} ${variant.status}`)
  expect([status, ...rows]).toEqual(['running', 'first done'])
})

test('an error that nobody foresaw leaves no server and says that it is a bug', async () => {
  await using place = await workplace()
  const file = await place.spec({ ...threeRows({ seconds: 60 }), ...ownTarget })
  // Thrown from outside of every call of ours, in the middle of the slow row.
  const unforeseen = 'out of the blue'
  const bomb = `process.on('SIGUSR2', () => { throw new Error('${unforeseen}') })`
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(bomb)}`]
  const { child, ended, says } = place.start(['run', file, '--log-level', 'trace'], {}, nodeArgs)
  await says('second read ░')
  const [server] = place.servers()
  child.kill('SIGUSR2')
  const { code, stderr } = await ended
  expect(code).toBe(1)
  expect(stderr).toHaveLine('error-is-bug')
  expect(stderr).toContain(unforeseen)
  expect(await comesTrue(() => server !== undefined && !isAlive(server), soonMs)).toBe(true)
  expect(await comesTrue(() => nothingIsLeft(place), soonMs)).toBe(true)
})

test('doctor tells of the server of a run that was killed together with its guardian, and clean ends it', async () => {
  await using place = await workplace()
  const { child, ended, server } = await untilSecondRow(place, moments[2], place.start)
  const guardian = await guardianOf(child.pid ?? 0)
  process.kill(guardian, 'SIGKILL')
  child.kill('SIGKILL')
  await ended
  expect(isAlive(server)).toBe(true)
  expect((await place.run(['doctor'])).stdout).toHaveLine('doctor-servers-left', { servers: 1 })
  const stopped = expect.stringContaining(`mongod ${server.pid}: stopped`)
  expect(await place.run(['clean'])).toMatchObject({ code: 0, stdout: stopped })
  expect(isAlive(server)).toBe(false)
  expect(await nothingIsLeft(place)).toBe(true)
  expect((await place.run(['clean'])).stdout).toSay('clean-nothing')
})
