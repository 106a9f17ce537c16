import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { workplace } from '../contract/support/program.ts'
import { fewReads, ownTarget } from '../contract/support/specs.ts'

/** A shell in which no mongos is found. */
const nowhere = { PATH: '', MONGO_PERF_MONGOS: '' }

test('without a mongos, sharded clusters are not measured here and the other specs go on', async () => {
  await using place = await workplace()
  const plain = await place.spec(fewReads(ownTarget))
  const specs = ['stress-test/sharded', 'stress-test/sharded-replicated', plain]
  const { code, stdout, stderr } = await place.run(['run', ...specs, '--quiet', '--format', 'md'], nowhere)
  expect(code).toBe(4)
  expect(stdout).not.toContain('Not measured here')
  for (const name of ['sharded', 'sharded-replicated']) {
    const report = await readFile(path.join(place.folder, 'mongo-perf-results', name, 'report.md'), 'utf8')
    expect(report.match(/^> \*\*Not measured here:\*\* .*$/m)?.[0]).toSay('sharded-not-measured-in-report')
  }
  const lines = stderr.trimEnd().split('\n')
  expect(lines.slice(0, 2)).toSay('sharded-without-mongos')
  expect(lines.slice(-2)).toSay('sharded-specs-not-measured')
  const warnings = [{ code: 'not-measured-here', message: expect.toSay('sharded-not-measured') }]
  for (const name of ['sharded', 'sharded-replicated'])
    expect(await place.result(name)).toMatchObject({ status: 'failed', variants: [], warnings })
  expect(await place.result('few-reads')).toMatchObject({ status: 'done' })
  expect(place.servers()).toEqual([])
  expect(await readdir(place.temp)).toEqual([])
})

test.each([[['run']], [['size', '--p99', '50']], [['ab', '--b', 'engine:wire', '--rounds', '6']]])(
  '%j starts the router that --mongos names, and no other',
  async (command) => {
    await using place = await workplace()
    const spec = await place.spec(fewReads({ target: { kind: 'sharded', shards: 1 } }))
    const { code, stderr } = await place.run([...command, spec, '--mongos', 'mine/mongos'])
    expect(code).toBe(4)
    expect(stderr).toContain(path.join('mine', 'mongos'))
    expect(place.servers()).toEqual([])
  },
)
