import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const document = { code: { '@int': { max: 99 } } }
const kinds = {
  insertOne: { kind: 'insertOne', document },
  insertMany: { kind: 'insertMany', documentsPerCall: 20, document },
  unordered: { kind: 'insertMany', documentsPerCall: 20, document, ordered: false },
  bulkWrite: { kind: 'bulkWrite', operationsPerCall: 20, operations: [{ insertOne: { document } }] },
} as const
const calls = 60

const specOf = (engine: 'driver' | 'wire', threads: number): SpecInput => ({
  name: `expected-errors-${engine}-${threads}`,
  target: { kind: 'existing' },
  data: {
    collection: 'feed',
    rows: 0,
    document: { _id: { '@objectId': {} } },
    indexes: [{ key: { code: 1 }, unique: true }],
  },
  phases: Object.entries(kinds).map(([name, operation]) => ({
    name,
    engine,
    load: { kind: 'closed', workers: 2 * threads, threads },
    stopAfter: { operations: calls },
    operations: [{ ...operation, name: `${name}s`, expectErrors: [11000] }],
  })),
  checks: [{ kind: 'acknowledgedWritesSurvive', name: 'survive', operation: 'insertOne.insertOnes' }],
})

test.each([
  ['driver', 1],
  ['wire', 1],
  ['wire', 2],
] as const)(
  'duplicates that %s expects, on %i threads, are counted apart, and the phase goes on',
  async (engine, threads) => {
    const result = await run(specOf(engine, threads), { uri: server.uri })
    const [row] = result.variants
    for (const { name, endedBecause, operations } of row?.phases ?? []) {
      const [operation] = operations
      expect([name, endedBecause, operation?.ok, operation?.failed, operation?.errors]).toEqual([
        name,
        'operations',
        calls,
        0,
        [],
      ])
      expect(operation?.expectedErrors).toMatchObject([{ code: '11000', name: 'DuplicateKey' }])
    }
    const written = row?.phases.flatMap(({ operations }) => operations.map(({ inserted }) => inserted)) ?? []
    expect(written.reduce((sum, one) => sum + one, 0)).toBe(100)
    expect(row?.checks).toMatchObject([{ status: 'held', measures: { lost: 0, acknowledged: written[0] } }])
  },
)

test('an error that is not expected is one, also beside expected ones', async () => {
  const spec = specOf('wire', 1)
  const operations = [{ ...kinds.unordered, expectErrors: [121], name: 'put' }]
  const phases = [{ name: 'load', stopAfter: { operations: calls }, operations }]
  const result = await run({ ...spec, phases, checks: [] }, { uri: server.uri })
  expect(result.variants[0]?.phases[0]?.operations[0]).toMatchObject({
    expectedErrors: [],
    errors: [{ code: '11000' }],
  })
})
