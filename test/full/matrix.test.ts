import { expect, test } from 'vitest'
import { type ReportJson } from '../../src/report/formats/json.ts'
import { workplace } from '../contract/support/program.ts'

test('the matrix that ships runs with the one mongod that is there, and says what ran', async () => {
  await using place = await workplace()
  const { code, stdout, stderr } = await place.run(['run', 'matrix', '--profile', 'smoke', '--format', 'json'])
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('hint:')])
  const report = JSON.parse(stdout) as ReportJson
  const version = (await place.result('matrix')).variants[0]?.server?.version
  expect(version).toMatch(/^\d+\.\d+\.\d+/)
  expect(report.tables[0]?.rows.map(({ cells }) => cells.slice(0, 3))).toEqual([
    [version, 'standalone', 60],
    [version, 'standalone', 1],
    [version, 'replica set of 3', 60],
    [version, 'replica set of 3', 1],
  ])
})

test('the matrix takes binaries by version and by path, and they are listed', async () => {
  await using place = await workplace()
  const binary = place.env['MONGOMS_SYSTEM_BINARY'] ?? ''
  const listed = await place.run(['list', 'binaries'])
  const [version = ''] = listed.stdout.split(' ')
  expect(listed.stdout).toContain(`${version}  ${binary} (variable MONGOMS_SYSTEM_BINARY)`)
  const mongods = JSON.stringify([{ label: 'mine', value: { binary } }, { version }])
  const only = ['--only', 'topology=standalone', '--only', 'syncdelay=1']
  const run = await place.run(['run', 'matrix', '--profile', 'smoke', '--set', `mongods=${mongods}`, ...only])
  expect(run.code).toBe(0)
  const { variants } = await place.result('matrix')
  expect(variants.map(({ server }) => server?.version)).toEqual([version, version])
  expect(variants.map(({ label }) => label)).toEqual([
    'mongod mine, topology standalone, syncdelay 1',
    `mongod {"version":"${version}"}, topology standalone, syncdelay 1`,
  ])
})
