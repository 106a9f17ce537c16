import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type ReportJson } from '../../../src/report/formats/json.ts'
import { workplace } from '../support/program.ts'
import { sharedServer, ownSet } from '../support/shared-servers.ts'
import { fewReads, ownTarget } from '../support/specs.ts'

/** Two servers of somebody else. */
const small = sharedServer()
const large = ownSet()

const named = (label: string, facts: object) => ({
  label,
  value: { kind: 'existing', uriFrom: `MONGO_PERF_URI_${label.toUpperCase()}`, facts },
})

const factColumns = ['instanceType', 'diskIops', 'pricePerHour'].map((fact) => ({ fact }))
const figures = ['errors', 'opsPerSecond', 'opsPerSecondPerCore', 'opsPerDollar', 'dollarsPerMillionOps']

const sideBySide = (changes: object = {}) =>
  fewReads({
    name: 'side-by-side',
    target: { '@param': 'server' },
    variants: {
      server: [
        named('small', { instanceType: 'S', diskIops: 1000, pricePerHour: 0.5 }),
        named('large', { instanceType: 'L', diskIops: 9000, pricePerHour: 2 }),
      ],
    },
    report: { tables: [{ title: 'Servers', columns: [{ parameter: 'server' }, ...factColumns, ...figures] }] },
    ...changes,
  })

test('named targets stand in one table, each measured on its own server', async () => {
  await using place = await workplace()
  const run = ['run', await place.spec(sideBySide()), '--uri', `small=${small.uri}`, '--format', 'json']
  const { code, stdout, stderr } = await place.run(run, { MONGO_PERF_URI_LARGE: large.uri })
  expect(stderr).not.toContain('hint:')
  expect(code).toBe(0)
  const report = JSON.parse(stdout) as ReportJson
  const rows = report.tables[0]?.rows.map(({ cells }) => cells) ?? []
  expect(rows.map((cells) => cells.slice(0, 5))).toEqual([
    ['small', 'S', 1000, 0.5, 0],
    ['large', 'L', 9000, 2, 0],
  ])
  const cores = Number((await place.result('side-by-side')).variants[0]?.server?.cores)
  for (const [, , , price, , speed, perCore, perDollar, dollars] of rows.map((cells) => cells.map(Number))) {
    expect(perCore).toBeCloseTo(Number(speed) / cores, 6)
    expect(perDollar).toBeCloseTo((Number(speed) * 3600) / Number(price), 3)
    expect(dollars).toBeCloseTo(1e6 / Number(perDollar), 6)
  }
  for (const { client } of [small, large])
    expect(await client.db('mongoperf_side_by_side').collection('docs').countDocuments()).toBe(10)
})

test('every variable that is missing is told before anything is started or written', async () => {
  await using place = await workplace()
  const server = [{ label: 'own', value: { kind: 'standalone' } }, named('small', {}), named('large', {})]
  const first = await place.spec(fewReads({ name: 'first', ...ownTarget }))
  const ended = await place.run(['run', first, await place.spec(sideBySide({ variants: { server } }))])
  const variables = 'MONGO_PERF_URI_SMALL, MONGO_PERF_URI_LARGE'
  expect(ended).toMatchObject({ code: 2, stderr: expect.toSay('run-uris-not-set', { variables }) })
  expect(existsSync(path.join(place.folder, 'mongo-perf-results'))).toBe(false)
})

test('a URI under a name that no target reads ends the run, and nothing else is measured', async () => {
  await using place = await workplace()
  const run = ['run', await place.spec(sideBySide()), '--uri', `smal=${small.uri}`]
  const ended = await place.run(run, { MONGO_PERF_URI_SMALL: small.uri, MONGO_PERF_URI_LARGE: large.uri })
  const unread = expect.toSay('run-uri-name-unread', { name: 'smal', names: 'small, large' })
  expect(ended).toMatchObject({ code: 2, stderr: unread })
  expect(existsSync(path.join(place.folder, 'mongo-perf-results'))).toBe(false)
})

test('one URI for all of them is refused: the table would lie', async () => {
  await using place = await workplace()
  const refused = expect.toSay('run-one-uri-for-all', { one: 'server small', other: 'server large' })
  const run = ['run', await place.spec(sideBySide()), '--uri', small.uri]
  expect(await place.run(run)).toMatchObject({ code: 2, stderr: refused })
})

test('versions that cannot be had are all told before the first row starts', async () => {
  await using place = await workplace()
  const variants = { version: [null, '1.1', '1.2'] }
  const target = { kind: 'standalone', server: { version: { '@param': 'version' } } }
  const bare = { PATH: '', MONGOMS_RUNTIME_DOWNLOAD: 'false' }
  const { code, stderr } = await place.run(['run', await place.spec(fewReads({ variants, target }))], bare)
  expect(code).toBe(4)
  expect(stderr.replace('error: ', '')).toHaveLine('run-mongod-version-missing', { version: '1.1' })
  expect(stderr).toHaveLine('run-mongod-version-missing', { version: '1.2' })
  expect(await place.result('few-reads')).toMatchObject({ status: 'failed', variants: [] })
})
