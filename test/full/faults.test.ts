import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { comesTrue, soonMs } from '../../bench/start/wait.ts'
import { isAlive } from '../../src/servers/targets/server/guardian/process-identity.ts'
import { nothingIsLeft, type Workplace, workplace } from '../contract/support/program.ts'
import { hurtBy } from '../contract/support/specs.ts'

const faults = [
  { kind: 'kill' },
  { kind: 'pause' },
  { kind: 'partition', groups: [['primary'], ['secondaries']] },
] as const
const onLinux = process.platform === 'linux' ? faults : faults.slice(0, 2)

/** Starts a run and waits until its fault is done. */
async function startUntilHurt(place: Workplace, fault: (typeof faults)[number]) {
  const file = await place.spec(hurtBy(fault))
  const program = place.start(['run', file])
  await program.says(`write: ${fault.kind} of member`)
  const servers = place.servers()
  expect(servers.filter(({ program: what = 'mongod' }) => what === 'mongod')).toHaveLength(3)
  return { ...program, servers, folders: servers.flatMap((server) => server.folders) }
}

test.each(onLinux)('Ctrl-C in the middle of a $kind undoes it, keeps the row, and leaves no process', async (fault) => {
  await using place = await workplace()
  const { child, ended, servers, folders } = await startUntilHurt(place, fault)
  child.kill('SIGINT')
  const { code, stderr } = await ended
  expect(code).toBe(130)
  expect(stderr).toContain('is undone')
  expect(servers.filter(isAlive)).toEqual([])
  expect(folders.filter((folder) => existsSync(folder))).toEqual([])
  expect(await nothingIsLeft(place)).toBe(true)
  const { status, variants } = await place.result('hurt')
  expect(status).toBe('aborted')
  expect(variants[0]?.phases[0]?.faults).toMatchObject([{ kind: fault.kind, occurrences: [{ error: null }] }])
})

test.each(onLinux)('kill -9 in the middle of a $kind leaves no process and no data', async (fault) => {
  await using place = await workplace()
  const { child, ended, servers, folders } = await startUntilHurt(place, fault)
  child.kill('SIGKILL')
  await ended
  expect(await comesTrue(() => !servers.some(isAlive), soonMs)).toBe(true)
  expect(await comesTrue(() => nothingIsLeft(place), soonMs)).toBe(true)
  expect(folders.filter((folder) => existsSync(folder))).toEqual([])
})
