import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type ReportJson } from '../../../src/report/json.ts'
import { ownServer } from '../support/own-server.ts'
import { workplace } from '../support/program.ts'
import { fewReads } from '../support/specs.ts'

/** Two servers of somebody else. */
const small = ownServer()
const large = ownServer()

const named = (label: string, facts: object) => ({
  label,
  value: { kind: 'existing', uriFrom: `MONGO_PERF_URI_${label.toUpperCase()}`, facts },
})

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
    report: {
      tables: [
        {
          title: 'Servers',
          columns: [
            { parameter: 'server' },
            { fact: 'instanceType' },
            { fact: 'diskIops' },
            { fact: 'pricePerHour' },
            'errors',
          ],
        },
      ],
    },
    ...changes,
  })

test('named targets stand in one table, each measured on its own server', async () => {
  await using place = await workplace()
  const run = ['run', await place.spec(sideBySide()), '--uri', `small=${small.uri}`, '--format', 'json']
  const { code, stdout, stderr } = await place.run(run, { MONGO_PERF_URI_LARGE: large.uri })
  expect(stderr).not.toContain('hint:')
  expect(code).toBe(0)
  const report = JSON.parse(stdout) as ReportJson
  expect(report.tables[0]?.rows.map(({ cells }) => cells)).toEqual([
    ['small', 'S', 1000, 0.5, 0],
    ['large', 'L', 9000, 2, 0],
  ])
  for (const { client } of [small, large])
    expect(await client.db('mongoperf_side_by_side').collection('docs').countDocuments()).toBe(10)
})

test('every variable that is missing is told before anything is started or written', async () => {
  await using place = await workplace()
  const variants = {
    server: [{ label: 'own', value: { kind: 'standalone' } }, named('small', {}), named('large', {})],
  }
  const run = ['run', await place.spec(fewReads({ name: 'first' })), await place.spec(sideBySide({ variants }))]
  const { code, stderr } = await place.run(run)
  expect(code).toBe(2)
  expect(stderr).toContain('these are not set: MONGO_PERF_URI_SMALL, MONGO_PERF_URI_LARGE')
  expect(stderr).toContain('--uri small=mongodb://… --uri large=mongodb://…')
  expect(existsSync(path.join(place.folder, 'mongo-perf-results'))).toBe(false)
})

test('one URI for all of them is refused: the table would lie', async () => {
  await using place = await workplace()
  const { code, stderr } = await place.run(['run', await place.spec(sideBySide()), '--uri', small.uri])
  expect(code).toBe(2)
  expect(stderr).toContain('Rows differ in their targets ("server small" and "server large")')
})

test('versions that cannot be had are all told before the first row starts', async () => {
  await using place = await workplace()
  const variants = { version: [null, '1.1', '1.2'] }
  const target = { kind: 'standalone', server: { version: { '@param': 'version' } } }
  const bare = { PATH: '', MONGOMS_RUNTIME_DOWNLOAD: 'false' }
  const { code, stderr } = await place.run(['run', await place.spec(fewReads({ variants, target }))], bare)
  expect(code).toBe(4)
  expect(stderr).toContain('No mongod 1.1 can be started here')
  expect(stderr).toContain('No mongod 1.2 can be started here')
  expect(existsSync(path.join(place.folder, 'mongo-perf-results', 'few-reads', 'result.json'))).toBe(false)
})
