import { readFileSync } from 'node:fs'
import { Binary, MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { type PhaseResult, type Result } from '../../../src/results/schema.ts'
import { importWorkload } from '../../../src/spec/ycsb/import-workload.ts'
import { sharedServer } from '../../contract/support/shared-servers.ts'
import { fail } from '../../fakes/fail.ts'

const server = sharedServer()
let client: MongoClient

beforeAll(async () => {
  client = await MongoClient.connect(server.uri)
})

afterAll(async () => {
  await client.close()
})

/** Without the warm-up, so that each operation is one of those that are counted. */
async function specOf(text: string, options?: Parameters<typeof importWorkload>[1]): Promise<SpecInput> {
  const { spec } = await importWorkload({ file: 'workloadx', text }, options)
  const phases = spec['phases'] as readonly JsonObject[]
  return {
    ...spec,
    phases: phases.map((phase) => Object.fromEntries(Object.entries(phase).filter(([key]) => key !== 'warmup'))),
  } as unknown as SpecInput
}

const phaseOf = ({ variants }: Result): PhaseResult => variants[0]?.phases[0] ?? fail('no phase')

function expectNothingMissing({ operations }: PhaseResult): void {
  for (const { name, kind, ok, failed, unknown, missing, modified, steps } of operations) {
    expect({ name, failed, unknown, missing: missing ?? 0 }).toEqual({ name, failed: 0, unknown: 0, missing: 0 })
    expect(ok).toBeGreaterThan(0)
    // Random bytes change a record each time.
    const updates = [{ kind, ok, modified }, ...steps].filter((one) => one.kind === 'updateOne')
    expect(updates.map((one) => one.modified)).toEqual(updates.map((one) => one.ok))
  }
}

const properties = (letter: string): string => readFileSync(`fixtures/specs/ycsb/workload${letter}.properties`, 'utf8')

/** Workloads are made again and again in one database: that of `workloadx`. */
const documents = (database = 'mongoperf_ycsb_x') =>
  client.db(database).collection<Record<string, unknown> & { _id: string }>('usertable')

describe.each(['driver', 'wire'] as const)('with the engine %s', (engine) => {
  test.each(['a', 'b', 'c', 'd', 'e', 'f'])('workload %s finds every record', async (letter) => {
    const spec = await specOf(`${properties(letter)}\nrecordcount=200\noperationcount=600\n`)
    const result = await run(spec, { uri: server.uri, engine })
    expect(result.status).toBe('done')
    expectNothingMissing(phaseOf(result))
    const inserted = phaseOf(result).operations.find(({ name }) => name === 'insert')?.ok ?? 0
    expect(inserted > 0).toBe('de'.includes(letter))
    expect(await documents().countDocuments()).toBe(200 + inserted)
  })
})

test('a record has the key and the values of YCSB', async () => {
  await run(await specOf('recordcount=20\noperationcount=10\nupdateproportion=0'), { uri: server.uri })
  for (const id of ['user6284781860667377211', 'user8517097267634966620', 'user1820151046732198393']) {
    const { _id: key, ...fields } =
      (await documents().findOne({ _id: id }, { promoteBuffers: false })) ?? fail(`no ${id}`)
    expect(key).toBe(id)
    expect(Object.keys(fields)).toEqual(Array.from({ length: 10 }, (_, i) => `field${i}`))
    for (const value of Object.values(fields)) {
      const { sub_type, length } = value as Binary
      expect([sub_type, length.call(value)]).toEqual([Binary.SUBTYPE_DEFAULT, 100])
    }
  }
})

/** FNV-1a of the eight octets of a number, lowest first, as Java's `long` without its sign. */
function keyOf(record: number): string {
  let hash = 0xcbf29ce484222325n
  for (let octet = 0n; octet < 8n; octet++)
    hash = BigInt.asUintN(64, (hash ^ ((BigInt(record) >> (8n * octet)) & 0xffn)) * 1099511628211n)
  const signed = BigInt.asIntN(64, hash)
  return `user${signed < 0n ? -signed : signed}`
}

test.each(['uniform', 'zipfian', 'latest', 'hotspot', 'exponential', 'sequential'])(
  'requests of kind %s find every record of a collection that YCSB has loaded, and of those inserted meanwhile',
  async (requestdistribution) => {
    const collection = documents('ycsb')
    await collection.deleteMany({})
    const field0 = new Binary(new Uint8Array(100))
    await collection.insertMany(Array.from({ length: 300 }, (_, record) => ({ _id: keyOf(record), field0 })))
    const text = `recordcount=300\noperationcount=800\nfieldcount=1\nrequestdistribution=${requestdistribution}
readproportion=0.5\nupdateproportion=0.2\ninsertproportion=0.2\nreadmodifywriteproportion=0.1\nthreadcount=4`
    const spec = await specOf(text, { existing: true })
    const phase = phaseOf(await run(spec, { uri: server.uri, allowWrites: ['ycsb.usertable'] }))
    expectNothingMissing(phase)
    // The records that YCSB would insert next.
    const inserted = phase.operations.find(({ name }) => name === 'insert')?.ok ?? 0
    const next = Array.from({ length: inserted }, (_, i) => keyOf(300 + i))
    expect(await collection.countDocuments({ _id: { $in: next } })).toBe(inserted)
  },
)

test.each([
  [20, undefined],
  [19, expect.toSay('ycsb-records-missing', { there: 19, drawn: 20 })],
])('where YCSB has loaded %i of 20 records, the warning is %s', async (there, expected) => {
  const collection = documents('ycsb')
  await collection.deleteMany({})
  await collection.insertMany(Array.from({ length: there }, (_, record) => ({ _id: keyOf(record) })))
  const text =
    'recordcount=20\noperationcount=100\nreadproportion=0.5\nupdateproportion=0.5\nrequestdistribution=sequential'
  const spec = await specOf(text, { existing: true })
  const result = await run(spec, { uri: server.uri, allowWrites: ['ycsb.usertable'] })
  const warnings = result.variants.flatMap((row) => row.warnings)
  expect(warnings.find(({ code }) => code === 'documents-missing')?.message).toEqual(expected)
  const phase = phaseOf(result)
  const [reads, updates] = phase.operations
  const seen = [
    (reads?.missing ?? 0) > 0,
    (updates?.ok ?? 0) > (updates?.matched ?? 0),
    phase.warnings.some(({ code }) => code === 'nothing-matched'),
  ]
  expect(new Set(seen)).toEqual(new Set([there < 20]))
})

test('a throttled target holds the threads back, and an open loop sends at it', async () => {
  const text = 'recordcount=50\noperationcount=300\ntarget=150\nthreadcount=3'
  const throttled = phaseOf(await run(await specOf(text, { throttled: true }), { uri: server.uri }))
  expect(throttled).toMatchObject({ load: 'closed', maxRatePerSecond: 150, littlesLaw: null })
  // The last of 300 calls is due after 299 / 150 s.
  expect(throttled.wallSeconds).toBeGreaterThanOrEqual(1.99)
  expectNothingMissing(throttled)
  const open = phaseOf(await run(await specOf(text), { uri: server.uri }))
  expect(open.openLoop).toMatchObject({ ratePerSecond: 150, arrivals: 'constant', sent: 300 })
})

test('a load phase inserts the records, in batches and by upserts too', async () => {
  for (const more of ['', 'batchsize=7', 'mongodb.upsert=true']) {
    const result = await run(await specOf(`recordcount=50\ndotransactions=false\n${more}`), { uri: server.uri })
    expect(phaseOf(result).operations[0]).toMatchObject({ failed: 0, unknown: 0 })
    const keys = await documents().distinct('_id')
    expect(keys.toSorted()).toEqual(Array.from({ length: 50 }, (_, record) => keyOf(record)).toSorted())
  }
})
