import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unpackResult } from '../../../src/results/files/pack-result.ts'
import { workplace } from '../support/program.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { fewReads } from '../support/specs.ts'

const server = sharedServer()

test('results are saved to a collection, and a history is read from there', async () => {
  await using place = await workplace(server)
  const { host } = new URL(server.uri)
  const uri = `mongodb://${host}/perf.results.nightly?directConnection=true`
  const saved = server.client.db('perf').collection('results.nightly')
  // Others may keep something beside ours.
  await saved.insertOne({ format: 'of-others', date: 'never' })
  const few = await place.spec(fewReads())
  const other = await place.spec(fewReads({ name: 'other' }))

  const first = await place.run(['run', few, other, '--save', uri])
  expect(first).toMatchObject({ code: 0, stderr: expect.toHaveLine('saved-to-collection', { host }) })
  // What has been saved twice counts once.
  const again = await place.run(['run', few, '--resume', '--save', 'RESULTS_URI'], { RESULTS_URI: uri })
  expect(again.code).toBe(0)
  expect(await saved.countDocuments()).toBe(4)
  const kept = await saved.findOne({ 'spec.name': 'few-reads', 'rows.values.metric': 'opsPerSecond' })
  const file = JSON.parse(String(gunzipSync(kept?.['result'].buffer))) as Record<string, unknown>
  expect(unpackResult(file)).toEqual(await place.result('few-reads'))

  expect((await place.run(['history', uri])).stdout.match(/^History of .*/gm)).toEqual([
    'History of few-reads (perf.results.nightly)',
    'History of other (perf.results.nightly)',
  ])
  const chosen = await place.run(['history', 'RESULTS_URI', 'few-reads', '--format', 'json'], { RESULTS_URI: uri })
  expect(JSON.parse(chosen.stdout)).toMatchObject([{ spec: 'few-reads', runs: { length: 1 } }])
  const unknown = await place.run(['history', 'nothing', uri])
  expect(unknown).toMatchObject({ code: 2, stderr: expect.toHaveLine('saved-history-unknown', { host }) })

  await saved.updateOne({ 'spec.name': 'other' }, { $set: { date: 'never' } })
  const damaged = await place.run(['history', uri])
  expect(damaged.code).toBe(2)
  expect(damaged.stderr.replace(/[\da-f]{24}/, 'ID')).toSay('saved-result-damaged', { id: 'ID', host })
})

test('a server that cannot be reached is reported before anything is measured', async () => {
  await using place = await workplace(server)
  const spec = await place.spec(fewReads())
  const uri = 'mongodb://ann:c4nary@127.0.0.1:1/perf.results?serverSelectionTimeoutMS=100'
  const { code, stdout, stderr } = await place.run(['run', spec, '--save', uri])
  expect([code, stdout]).toEqual([4, ''])
  expect(stderr).toSay('save-unreachable')
})
