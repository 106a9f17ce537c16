import { expect, test } from 'vitest'
import { thisSystem } from '../../../../../src/servers/system.ts'
import { requireProcesses, showsProcesses } from '../../../../../src/servers/targets/server/guardian/process-facts.ts'
import {
  isAliveOn,
  isPaused,
  readCpuMs,
  readProcessIdentity,
} from '../../../../../src/servers/targets/server/guardian/process-identity.ts'
import { systems } from '../../../../fakes/three-systems.ts'

const { linux, darwin, win32 } = systems

test.each([linux, darwin, win32])('$platform reports the CPU time of all processes in one question', (system) => {
  const [paused, running, gone] = [71, 72, 73].map((pid) => readProcessIdentity(pid, system))
  if (!paused || !running || !gone) throw new Error('There are three')
  expect([...readCpuMs([paused, running, gone], system).values()]).toEqual([83_450, 83_450, null])
  expect(readCpuMs([], system).size).toBe(0)
})

test.each([linux, darwin])('$platform knows a process from a later one of its number', (system) => {
  const process = readProcessIdentity(72, system)
  const earlier = { ...process, startTime: 'another' }
  expect(isAliveOn(system, process)).toBe(true)
  expect(isAliveOn(system, earlier)).toBe(false)
  expect([...readCpuMs([earlier], system).values()]).toEqual([null])
  expect([70, 73].map((pid) => isAliveOn(system, readProcessIdentity(pid, system)))).toEqual([false, false])
  expect([71, 72].map((pid) => isPaused(readProcessIdentity(pid, system), system))).toEqual([true, false])
})

const selfStat = (text: string) => ({ ...linux, read: (file: string) => (file === '/proc/self/stat' ? text : '') })

test.each([
  ['Linux', selfStat('72 (node) S 1'), true],
  ['Linux without /proc', linux, false],
  ['Linux with an empty /proc', selfStat(''), false],
  ['Linux with the /proc of another PID namespace', selfStat('4711 (node) S 1'), false],
  ['macOS', darwin, true],
  ['macOS without ps', { ...darwin, run: linux.run }, false],
  ['Windows', win32, true],
])('servers can be watched: on %s %#', (_what, system, isShown) => expect(showsProcesses(system, 72)).toBe(isShown))

test('where processes are not shown, nothing is started', () => {
  expect(() => requireProcesses(linux, 72)).toSay('processes-not-shown')
  expect(() => requireProcesses(darwin, 72)).not.toThrow()
})

test('Windows, which takes half a second to report a start time, is not asked for it', () => {
  expect(readProcessIdentity(process.pid, win32)).toEqual({ pid: process.pid, startTime: null })
  expect(isAliveOn(win32, { pid: process.pid, startTime: null })).toBe(true)
  expect(isPaused({ pid: process.pid, startTime: null }, win32)).toBeUndefined()
})

test.runIf(process.platform === 'linux')('the `ps` of this system is read as that of macOS', () => {
  const asMac = { ...thisSystem, platform: 'darwin' } as const
  const identity = readProcessIdentity(process.pid, asMac)
  expect(identity.startTime).toMatch(/^\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}$/)
  expect(isAliveOn(asMac, identity)).toBe(true)
  const [[, cpuMs] = []] = readCpuMs([identity], asMac)
  const [[, exactMs] = []] = readCpuMs([readProcessIdentity(process.pid)])
  // This `ps` counts whole seconds.
  expect(Math.abs(Number(exactMs) - Number(cpuMs))).toBeLessThanOrEqual(1100)
})
