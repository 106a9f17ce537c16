import { expect, test } from 'vitest'
import { type JsonObject } from '../../src/core/json.ts'
import { preflightDisk } from '../../src/run/preflight/disk.ts'
import { load } from '../fakes/a-spec.ts'

const document = { _id: { '@row': {} }, noise: { '@binary': { size: 10_000 } } }
const data = (rows: number): JsonObject => ({ collection: 'docs', rows, document })

async function refusal(spec: JsonObject, freeMB: number): Promise<string | undefined> {
  const disk = async (folder: string) => ({ device: folder, freeMB })
  return preflightDisk(load(spec).rows, '/tmp', { disk }).then(
    () => undefined,
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  )
}

test('data that is larger than the disk is refused before it is loaded', async () => {
  const spec = { target: { kind: 'standalone' }, data: data(20_000_000) }
  const said = await refusal(spec, 72_000)
  expect(said?.replace(/ 19\d,\d{3}(?= MB,)/, ' 19N,NNN')).toSay('preflight-disk-too-small', {
    folder: '/tmp',
    free: '72,000',
  })
  expect(await refusal(spec, 250_000)).toBeUndefined()
})

test('every member has the data', async () => {
  const target = { kind: 'replicaSet', members: 3 }
  expect(await refusal({ target, data: data(2_000_000) }, 50_000)).toMatch(/at least 5\d,\d{3} MB/)
  expect(await refusal({ target, data: data(2_000_000) }, 70_000)).toBeUndefined()
})

test('what a server compresses is not counted', async () => {
  const text = { ...data(20_000_000), document: { _id: { '@row': {} }, text: 'x'.repeat(10_000) } }
  expect(await refusal({ target: { kind: 'standalone' }, data: text }, 72_000)).toBeUndefined()
})

test('of servers that are there nothing is known', async () => {
  const target = { kind: 'existing', uriFrom: 'MONGO_PERF_URI' }
  expect(await refusal({ target, data: data(20_000_000) }, 1)).toBeUndefined()
})
