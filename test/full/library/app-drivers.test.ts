import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { packTool } from '../../../bench/start/pack-tool.ts'

/** Drivers of apps: the oldest, and the newest of each major version since. */
const drivers = { 'mongodb-4': '4.17.0', 'mongodb-5': '5', 'mongodb-6': '6', 'mongodb-7': '7.3.0' } as const

const call = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  await cp(new URL('../../../fixtures/installed/', import.meta.url), folder, { recursive: true })
  const packages = Object.entries(drivers).map(([name, version]) => `${name}@npm:mongodb@${version}`)
  const quick = ['--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
  await call('npm', ['install', await packTool(folder), ...packages, ...quick], { cwd: folder })
}, 300_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

test('operations are measured on clients of every driver from 4.17 on, found by itself', async () => {
  const names = Object.keys(drivers)
  const env = {
    ...process.env,
    DRIVERS: names.join(','),
    MONGO_PERF: 'quick',
    MONGOMS_SYSTEM_BINARY: inject('mongodPath'),
    XDG_STATE_HOME: path.join(folder, 'state'),
  }
  const args = ['--test', '--test-reporter=tap', 'app-drivers.test.mjs']
  const { stdout } = await call('node', args, { cwd: folder, env }).catch((error: { stdout: string }) => error)
  expect(stdout).toMatch(new RegExp(`^# pass ${names.length}$`, 'm'))
})
