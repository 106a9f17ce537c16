import { readdir } from 'node:fs/promises'
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
  const reason = 'A sharded cluster needs a router, and no mongos was found (path in the spec: none given; '
  expect(stdout.match(/^> \*\*Not measured here:\*\* .*$/gm)).toEqual([
    expect.stringContaining('mongos beside the mongod: none there'),
    expect.stringContaining('mongos beside the mongod: none there'),
  ])
  const lines = stderr.trimEnd().split('\n')
  expect(lines[0]).toContain(reason)
  for (const way of ['PATH', 'MONGO_PERF_MONGOS', 'mongodb-runner', '--uri']) expect(lines[1]).toContain(way)
  expect(lines.slice(-2)).toEqual([
    expect.stringContaining(`sharded was not measured: ${reason}`),
    expect.stringContaining(`sharded-replicated was not measured: ${reason}`),
  ])
  for (const name of ['sharded', 'sharded-replicated'])
    expect(await place.result(name)).toMatchObject({
      status: 'failed',
      variants: [],
      warnings: [{ code: 'not-measured-here', message: expect.stringContaining(reason) }],
    })
  expect(await place.result('few-reads')).toMatchObject({ status: 'done' })
  expect(place.servers()).toEqual([])
  expect(await readdir(place.temp)).toEqual([])
})
