import { expect, test } from 'vitest'
import { defineSpec, type Operation, report, run, type SpecInput } from '../../../src/entries/index.ts'
import { missedThresholds } from '../../../src/metrics/thresholds.ts'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { isWorse } from '../../../src/report/comparison/comparison.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

async function phaseOf(spec: SpecInput): Promise<PhaseResult> {
  const { variants } = await run(spec, { uri: server.uri })
  return variants[0]?.phases.at(-1) ?? fail('no phase')
}

const anyCustomer = { customer: { '@int': { min: 0, max: 9 } } }

/** A hundred orders of ten customers, with an index on the customer. */
const orders = (name: string, ...phases: readonly (readonly Operation[])[]) =>
  defineSpec({
    name,
    data: {
      collection: 'orders',
      rows: 100,
      document: { _id: { '@row': {} }, customer: { '@mod': [{ '@row': {} }, 10] }, total: { '@row': {} }, n: 0 },
      indexes: [{ key: { customer: 1 } }],
    },
    phases: phases.map((operations, i) => ({ name: `phase${i}`, stopAfter: { operations: 6 }, operations })),
  })

const byIndex = { calls: 5, indexes: ['customer_1'], usesIndex: true, keysExamined: 10, reason: null }
const byScan = { calls: 5, indexes: [], usesIndex: false, keysExamined: 0, docsExamined: 100, reason: null }
const byId = { calls: 5, indexes: ['_id_'], usesIndex: true, keysExamined: 1, docsExamined: 1, reason: null }

/** Every kind that has a plan, and what is expected of it. No call changes what another one finds. */
const kinds: Readonly<Record<string, readonly [operation: Operation, explain: object | null]>> = {
  byId: [
    { kind: 'findOne', filter: { _id: { '@key': {} } } },
    { ...byId, plans: ['IDHACK'] },
  ],
  byIndex: [
    { kind: 'find', filter: anyCustomer },
    { ...byIndex, plans: ['IXSCAN customer_1 → FETCH'], docsExamined: 10, docsReturned: 10 },
  ],
  byScan: [
    { kind: 'find', filter: { total: { '@int': { min: 0, max: 99 } } } },
    { ...byScan, plans: ['COLLSCAN'], docsReturned: 1 },
  ],
  firstOfScan: [
    { kind: 'findOne', filter: { total: { $gte: 0 } } },
    { plans: ['COLLSCAN → LIMIT'], usesIndex: false, docsExamined: 1, docsReturned: 1 },
  ],
  grouped: [
    { kind: 'aggregate', pipeline: [{ $match: anyCustomer }, { $group: { _id: '$n' } }] },
    { ...byIndex, docsExamined: 10 },
  ],
  inBuckets: [
    { kind: 'aggregate', pipeline: [{ $match: anyCustomer }, { $bucketAuto: { groupBy: '$total', buckets: 2 } }] },
    { ...byIndex, plans: ['IXSCAN customer_1 → FETCH → PROJECTION_SIMPLE → $bucketAuto'], docsReturned: 2 },
  ],
  joined: [
    {
      kind: 'aggregate',
      pipeline: [
        { $match: { _id: { '@key': {} } } },
        { $bucketAuto: { groupBy: '$total', buckets: 1 } },
        { $lookup: { from: 'orders', localField: 'count', foreignField: 'total', as: 'joined' } },
      ],
    },
    { usesIndex: false, indexes: ['_id_'], keysExamined: 1, docsExamined: 101 },
  ],
  counted: [
    { kind: 'countDocuments', filter: anyCustomer, skip: 1 },
    { usesIndex: true, docsReturned: null },
  ],
  distinct: [
    { kind: 'distinct', key: 'customer' },
    { ...byIndex, docsExamined: 0, docsReturned: null },
  ],
  updated: [
    { kind: 'updateOne', filter: anyCustomer, update: { $inc: { n: 1 } } },
    { plans: ['IXSCAN customer_1 → FETCH → UPDATE'], usesIndex: true, docsExamined: 1, docsReturned: null },
  ],
  allUpdated: [
    { kind: 'updateMany', filter: { total: { $gte: 0 } }, update: { $inc: { n: 1 } } },
    { ...byScan, plans: ['COLLSCAN → UPDATE'] },
  ],
  replaced: [
    { kind: 'replaceOne', filter: { _id: 5 }, replacement: { customer: 5, total: 5, name: '$name' } },
    { ...byId, plans: ['IDHACK → UPDATE'] },
  ],
  deleted: [
    { kind: 'deleteOne', filter: { total: -1 } },
    { ...byScan, plans: ['COLLSCAN → DELETE'] },
  ],
  allDeleted: [
    { kind: 'deleteMany', filter: { customer: -1 } },
    { usesIndex: true, plans: ['IXSCAN customer_1 → FETCH → DELETE'], docsExamined: 0 },
  ],
  foundAndUpdated: [
    { kind: 'findOneAndUpdate', filter: { _id: 6 }, update: { $inc: { n: 1 } } },
    { ...byId, plans: ['IDHACK → UPDATE'] },
  ],
  foundAndReplaced: [
    { kind: 'findOneAndReplace', filter: { _id: 7 }, replacement: { customer: 7, total: 7 } },
    { ...byId, plans: ['IDHACK → UPDATE'] },
  ],
  foundAndDeleted: [
    { kind: 'findOneAndDelete', filter: { customer: -1 }, sort: { total: 1 } },
    { plans: ['IXSCAN customer_1 → FETCH → SORT → DELETE'], usesIndex: true },
  ],
  inserted: [{ kind: 'insertOne', weight: 0.001, document: { _id: { '@objectId': {} }, customer: -2 } }, null],
  written: [{ kind: 'bulkWrite', operations: [{ deleteOne: { filter: { _id: -1 } } }] }, null],
}

test('after the window, each operation has the plan of its calls', async () => {
  const entries = Object.entries(kinds)
  const { operations, warnings } = await phaseOf(
    orders(
      'kinds',
      entries.map(([name, [operation]]) => ({ name, ...operation })),
    ),
  )
  expect(Object.fromEntries(operations.map(({ name, explain }) => [name, explain]))).toMatchObject(
    Object.fromEntries(entries.map(([name, [, explain]]) => [name, explain])),
  )
  expect(warnings.map(({ code }) => code)).not.toContain('not-explained')
})

test('reads are made once more after the window to count what they send and return', async () => {
  const find: Operation = { kind: 'find', filter: {}, limit: 30, batchSize: 20, sort: { _id: 1 } }
  const { operations } = await phaseOf(
    orders('counted', [
      { name: 'twoBatches', ...find },
      { name: 'grouped', kind: 'aggregate', pipeline: [{ $group: { _id: '$customer', n: { $sum: 1 } } }] },
      { name: 'aggregated', kind: 'aggregate', pipeline: [{ $match: {} }], batchSize: 60 },
      { name: 'first', kind: 'findOne', filter: { _id: 1 }, projection: { _id: 1 } },
      { name: 'values', kind: 'distinct', key: 'customer' },
      { name: 'update', kind: 'updateMany', filter: { customer: 1 }, update: { $inc: { n: 1 } } },
    ]),
  )
  const work = operations.map(({ explain }) => explain && [explain.commands, explain.roundTrips, explain.bytesReturned])
  // Four int32 values with keys of 1, 3, 5 and 8 letters; an `_id` alone; ten int32 values.
  expect(work).toEqual([
    [2, 2, 30 * (5 + 4 * 6 + 17)],
    [1, 1, 210],
    [2, 2, 100 * (5 + 4 * 6 + 17)],
    [1, 1, 5 + 9],
    [1, 1, 40],
    [1, 1, null],
  ])
})

const pageOf = (limit: number) =>
  run(
    {
      ...orders('page', [{ kind: 'find', filter: {}, sort: { _id: -1 }, limit }]),
      thresholds: ['docsExamined <= 20', 'docsReturned <= 20', 'commands <= 1', 'roundTrips <= 1'],
    },
    { uri: server.uri },
  )

test('a page that reads 100 documents instead of 20 is worse, and misses its threshold, from one run on', async () => {
  const [twenty, hundred] = [await pageOf(20), await pageOf(100)]
  expect(missedThresholds(twenty)).toEqual([])
  expect(missedThresholds(hundred).map(({ threshold, measured }) => [threshold, measured])).toEqual([
    ['docsExamined <= 20', 100],
    ['docsReturned <= 20', 100],
  ])
  const { work } = compareResults(twenty, hundred, { differences: ['spec'] })
  expect(work.filter(isWorse).map(({ measure, figureA, figureB }) => [measure, figureA, figureB])).toEqual([
    ['docsExamined', 20, 100],
    ['keysExamined', 20, 100],
    ['docsReturned', 20, 100],
    ['bytesReturned', 920, 4600],
  ])
  expect(compareResults(twenty, twenty).work.some(isWorse)).toBe(false)
})

test('calls are explained and not made: nothing is written, and no row is taken', async () => {
  const upsert: Operation = {
    kind: 'updateOne',
    filter: { _id: { '@nextRow': {} } },
    update: { $inc: { n: 1 } },
    upsert: true,
  }
  const increment: Operation = { kind: 'updateMany', filter: {}, update: { $inc: { n: 1 } } }
  await phaseOf(orders('unwritten', [upsert], [increment], [upsert]))
  const left = await server.client
    .db('mongoperf_unwritten')
    .collection<{ _id: number; n: number }>('orders')
    .find({ _id: { $gte: 100 } })
    .sort({ _id: 1 })
    .toArray()
  const rows = Array.from({ length: 12 }, (_, i) => ({ _id: 100 + i, n: i < 6 ? 7 : 1 }))
  expect(left).toEqual(rows)
})

test('steps have plans of their own, but for those that only replies complete', async () => {
  const { operations } = await phaseOf(
    orders('steps', [
      {
        kind: 'steps',
        name: 'both',
        steps: [
          { kind: 'findOne', filter: { _id: { '@key': {} } } },
          { kind: 'find', filter: { customer: { '@var': 'findOne.document.customer' } } },
          {
            kind: 'updateOne',
            filter: { total: -1 },
            update: { $inc: { n: 1 } },
            when: { '@eq': [{ '@var': 'findOne.documents' }, 0] },
          },
          { kind: 'countDocuments', filter: { total: -1 } },
        ],
      },
    ]),
  )
  const [both] = operations
  expect(both?.explain).toBeNull()
  expect(both?.steps).toMatchObject([
    { explain: byId },
    { explain: null },
    { explain: null },
    { explain: { usesIndex: false } },
  ])
})

test('an answer that is refused leaves the cells empty and is reported, and the run goes on', async () => {
  const admin = server.client.db('admin')
  await admin.command({
    configureFailPoint: 'failCommand',
    mode: 'alwaysOn',
    data: { failCommands: ['explain'], errorCode: 13, appName: 'mongo-perf' },
  })
  try {
    const spec = orders('refused', [{ kind: 'findOne', filter: { _id: 5 } }])
    const columns = ['operations', 'plan', 'usesIndex', 'keysExamined', 'docsExaminedPerReturned']
    const tables = [{ title: 'Plans', columns }]
    const result = await run({ ...spec, thresholds: ['usesIndex == 1'], report: { tables } }, { uri: server.uri })
    expect(result.status).toBe('done')
    const [operation] = result.variants[0]?.phases[0]?.operations ?? []
    expect(operation).toMatchObject({
      ok: 6,
      explain: {
        calls: 0,
        plans: [],
        usesIndex: null,
        keysExamined: null,
        reason: expect.stringMatching(/failCommand/),
      },
    })
    const { markdown } = report(result)
    const cells = /^\| .* 6[ (].*$/m.exec(markdown)?.[0].split('|').slice(1, -1)
    expect(cells?.map((cell) => cell.trim())).toEqual(['✗ 6 (do not compare)', ''])
    expect(markdown).toHaveLine('columns-unknown')
    expect(markdown).toHaveLine('plans-unknown-remark', {
      operation: 'findOne',
      reason: String(operation?.explain?.reason),
    })
    expect(markdown).toMatch(/usesIndex == 1 \| nothing was measured \| +missed/)
  } finally {
    await admin.command({ configureFailPoint: 'failCommand', mode: 'off' })
  }
})

/** Each context that promises take along makes every call dearer, up to Node 22. */
const contexts = (): number =>
  Object.getOwnPropertySymbols(Promise.resolve()).filter((symbol) => String(symbol).includes('kResourceStore')).length

test('a row that was explained leaves nothing that would slow down the next one', async () => {
  const before = contexts()
  const { explain } =
    (await phaseOf(orders('leaves-nothing', [{ kind: 'find', filter: anyCustomer }]))).operations[0] ?? {}
  expect(explain).toMatchObject(byIndex)
  expect(contexts()).toBe(before)
})
