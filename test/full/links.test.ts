import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { comesTrue, soonMs } from '../../bench/start/wait.ts'
import { isAlive } from '../../src/servers/targets/server/guardian/process-identity.ts'
import { workplace } from '../contract/support/program.ts'
import { threeRows } from '../contract/support/specs.ts'

const linked = {
  kind: 'replicaSet',
  members: 2,
  settings: { heartbeatIntervalMs: 200 },
  links: [{ from: ['client', 0], to: [1], rttMs: 10 }],
}

test.runIf(process.platform === 'linux')('kill -9 of a run ends its proxies and its servers', async () => {
  await using place = await workplace()
  const file = await place.spec({ ...threeRows({ seconds: 60 }), target: linked })
  const { child, ended, says } = place.start(['run', file, '--log-level', 'trace'])
  await says('second read ░')
  const left = place.servers()
  expect(left.map(({ program = 'mongod' }) => program).toSorted()).toEqual(['mongod', 'mongod', 'proxy'])
  child.kill('SIGKILL')
  await ended
  expect(await comesTrue(() => !left.some(isAlive), soonMs)).toBe(true)
  expect(await comesTrue(() => place.servers().length === 0, soonMs)).toBe(true)
  expect(await readdir(place.temp)).toEqual([])
})

test.runIf(process.platform === 'linux')('Ctrl-C ends them too, and keeps the finished row', async () => {
  await using place = await workplace()
  const file = await place.spec({ ...threeRows({ seconds: 60 }), target: linked })
  const { child, ended, says } = place.start(['run', file, '--log-level', 'trace'])
  await says('second read ░')
  const left = place.servers()
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
  expect(left.filter(isAlive)).toEqual([])
  expect(place.servers()).toEqual([])
  expect((await place.result('three-rows')).variants[0]).toMatchObject({ status: 'done', server: { links: {} } })
})

test.runIf(process.platform === 'linux')(
  'the latencies of write concerns are measured at the sizes of "smoke", with their links in the report',
  async () => {
    await using place = await workplace()
    const { code, stdout, stderr } = await place.run(['run', 'write-concern/latency', '--profile', 'smoke'])
    expect({ code, stderr }).toEqual({ code: 0, stderr })
    const { variants } = await place.result('latency')
    expect(variants.map(({ label, server }) => [label, server?.links?.pairs.length ?? 0])).toEqual([
      ['w=0', 0],
      ['w=1', 0],
      ['j=1 (spinning disk)', 0],
      ['j=1 (SSD)', 0],
      ['w=2', 8],
      ['w=3', 8],
    ])
    // The nearest of the members that a write waits for is beyond a link: w=3 needs one that is far.
    const far = variants[5]?.phases[0]?.operations[0]?.latency.ok
    expect(far?.minMs).toBeGreaterThan(15)
    expect(stdout).toContain('### Links')
    expect(stdout).toMatch(/\| .*w=0 .*\| .*w=1 .*\| .*j=1 \(spinning disk\)/)
    expect(stdout).not.toMatch(/undefined|NaN|\{\{/)
    const folder = path.join(place.folder, 'mongo-perf-results', 'latency')
    expect((await readdir(folder)).filter((name) => name.endsWith('.png'))).toHaveLength(6)
    expect(await readFile(path.join(folder, 'report.md'), 'utf8')).toContain('Replication lag (ms)')
  },
  300_000,
)
