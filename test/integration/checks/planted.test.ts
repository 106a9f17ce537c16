import { type Db } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTarget, targetSpec } from '../../../src/targets/index.ts'
import { type RunningTarget } from '../../../src/targets/target.ts'
import { fail } from '../../fakes/fail.ts'
import { startContext, type TestContext } from '../support/start-context.ts'
import { play, type Played, playOne, type Tamper } from './play.ts'

let context: TestContext | undefined
let target: RunningTarget | undefined

beforeAll(async () => {
  context = await startContext()
  target = await startTarget(targetSpec.parse({ kind: 'replicaSet', members: 1 }), context)
})
afterAll(async () => {
  await target?.[Symbol.asyncDispose]()
  await context?.[Symbol.asyncDispose]()
})

const uri = (): string => target?.uri ?? fail('The set is there only while tests run')

type Account = { readonly _id: number; readonly balance: number }

const accounts = (db: Db) => db.collection<Account>('accounts')
const transfers = (db: Db) => db.collection<{ _id: number; [field: string]: unknown }>('transfers')
const events = (db: Db) => db.collection<{ _id: number }>('events')

/** Twenty accounts of 100 each. */
const accountsData = { collection: 'accounts', rows: 20, document: { _id: { '@row': {} }, balance: 100 } }
const journalData = { collection: 'transfers', document: { _id: { '@row': {} } } }

const account = (name: string) => ({ _id: { '@key': { of: 'accounts', row: { '@var': name } } } })

/** Takes from one account, gives to another and writes that down: three calls, and no transaction around them. */
const transfer = {
  kind: 'steps',
  name: 'transfer',
  let: {
    rows: { '@array': { size: 2, distinct: true, of: { '@pickRow': { of: 'accounts' } } } },
    from: { '@arrayElemAt': [{ '@var': 'rows' }, 0] },
    to: { '@arrayElemAt': [{ '@var': 'rows' }, 1] },
    amount: { '@int': { min: 1, max: 3 } },
    minus: { '@multiply': [-1, { '@var': 'amount' }] },
    row: { '@nextRow': { of: 'transfers' } },
  },
  steps: [
    {
      kind: 'updateOne',
      name: 'take',
      collection: 'accounts',
      filter: account('from'),
      update: { $inc: { balance: { '@var': 'minus' } } },
    },
    {
      kind: 'updateOne',
      name: 'give',
      collection: 'accounts',
      filter: account('to'),
      update: { $inc: { balance: { '@var': 'amount' } } },
    },
    {
      kind: 'insertOne',
      name: 'entry',
      collection: 'transfers',
      document: {
        _id: { '@var': 'row' },
        transfer: { '@concat': ['t', { '@toString': { '@var': 'row' } }] },
        from: { '@key': { of: 'accounts', row: { '@var': 'from' } } },
        to: { '@key': { of: 'accounts', row: { '@var': 'to' } } },
        amount: { '@var': 'amount' },
      },
    },
  ],
}

/** The same calls as one transaction. */
const whole = {
  ...transfer,
  kind: 'transaction',
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
}

/** A transaction that gives one more than it takes. */
const generous = { ...whole, let: { ...transfer.let, minus: { '@subtract': [1, { '@var': 'amount' }] } } }

const transferPhase = (stopAfter: object, operation: object = transfer) => ({
  name: 'transfers',
  load: { kind: 'closed', workers: 4 },
  stopAfter,
  operations: [operation],
})

const bank = (
  name: string,
  checks: readonly object[],
  stopAfter: object = { operations: 60 },
  operation: object = transfer,
): Played => ({
  name,
  data: [accountsData, journalData],
  phases: [transferPhase(stopAfter, operation)],
  checks,
})

describe('sumUnchanged', () => {
  const total = { kind: 'sumUnchanged', collection: 'accounts', field: 'balance', minimum: 0 }

  test('holds where money only moves', async () => {
    expect(await playOne(uri(), bank('sum-held', [total]))).toEqual({
      name: 'sumUnchanged',
      kind: 'sumUnchanged',
      status: 'held',
      reason: null,
      measures: {
        documents: 20,
        expected: 2000,
        reads: 1,
        failedReads: 0,
        wrongReads: 0,
        lowest: 2000,
        highest: 2000,
        leastValue: expect.any(Number),
        missing: 0,
        foreign: 0,
      },
      evidence: [],
    })
  })

  test('catches, by snapshots during the phase, transfers that are no transactions: the total at the end is right', async () => {
    const during = { phase: 'transfers', everySeconds: 0.01 }
    const { status, measures, evidence } = await playOne(
      uri(),
      bank('sum-torn', [{ ...total, during }], { seconds: 1.5 }),
    )
    expect(status).toBe('violated')
    expect(measures['wrongReads']).toBeGreaterThan(0)
    expect(measures['lowest']).toBeLessThan(2000)
    expect(measures['highest']).toBe(2000)
    expect(evidence[0]).toMatch(/^\d+\.\d\d s after the phase "transfers" began: the sum is 19\d\d instead of 2000$/)
    expect(evidence.join()).not.toContain('at the end')
  })

  test('holds, by snapshots during the phase, where the same transfers are transactions', async () => {
    const during = { phase: 'transfers', everySeconds: 0.01 }
    const spec = bank('sum-whole', [{ ...total, during }], { seconds: 1.5 }, whole)
    const { status, measures } = await playOne(uri(), spec)
    expect(status).toBe('held')
    expect(measures).toMatchObject({ wrongReads: 0, lowest: 2000, highest: 2000 })
    expect(measures['reads']).toBeGreaterThan(10)
  })

  test('catches transactions that make money, during the phase and at its end', async () => {
    const during = { phase: 'transfers', everySeconds: 0.01 }
    const spec = bank('sum-generous', [{ ...total, during }], { operations: 200 }, generous)
    const { status, measures, evidence } = await playOne(uri(), spec)
    expect(status).toBe('violated')
    expect(measures).toMatchObject({ lowest: 2000, highest: 2200 })
    expect(evidence[0]).toMatch(/after the phase "transfers" began: the sum is 2\d\d\d instead of 2000$/)
  })

  test('holds during a phase that moves nothing', async () => {
    const spec = bank('sum-still', [{ ...total, during: { phase: 'touch', everySeconds: 0.02 } }])
    const touch = {
      name: 'touch',
      stopAfter: { operations: 300 },
      operations: [{ kind: 'updateOne', collection: 'accounts', filter: { _id: 3 }, update: { $inc: { touched: 1 } } }],
    }
    const found = await playOne(uri(), { ...spec, phases: [touch] })
    expect(found).toMatchObject({ status: 'held', measures: { wrongReads: 0, failedReads: 0 } })
    expect(found.measures['reads']).toBeGreaterThan(1)
  })

  test.each<[string, Tamper, object, RegExp]>([
    [
      'money from nowhere',
      (db) => accounts(db).updateOne({ _id: 1 }, { $inc: { balance: 5 } }),
      { wrongReads: 1, highest: 2005, missing: 0 },
      /^at the end: the sum is 2005 instead of 2000$/,
    ],
    [
      'an account that is gone',
      (db) => accounts(db).deleteOne({ _id: 1 }),
      { wrongReads: 1, missing: 1, foreign: 0 },
      /there are 19 documents instead of 20/,
    ],
    [
      'an account in the place of another',
      async (db) => {
        const gone = await accounts(db).findOneAndDelete({ _id: 1 })
        await accounts(db).insertOne({ _id: 77, balance: gone?.balance ?? 0 })
      },
      { wrongReads: 0, missing: 1, foreign: 1 },
      /^at the end: the document with the _id 1 is gone$/,
    ],
    [
      'a debt',
      async (db) => {
        await accounts(db).updateOne({ _id: 1 }, { $inc: { balance: -500 } })
        await accounts(db).updateOne({ _id: 2 }, { $inc: { balance: 500 } })
      },
      { wrongReads: 1, lowest: 2000, highest: 2000 },
      /^at the end: a value is -\d+, below 0$/,
    ],
    [
      'a balance that is no number',
      (db) => accounts(db).updateOne({ _id: 1 }, { $unset: { balance: 1 } }),
      { wrongReads: 1 },
      /1 documents have no number there$/,
    ],
  ])('catches %s', async (what, tamper, measures, evidence) => {
    const spec = bank(`sum-${what.replaceAll(' ', '-')}`, [total])
    const found = await playOne(uri(), spec, tamper)
    expect(found).toMatchObject({ status: 'violated', measures })
    expect(found.evidence[0]).toMatch(evidence)
  })
})

const twice: Tamper = async (db) => {
  const entry = (await transfers(db).findOne({ _id: 7 })) ?? fail('The entry is there')
  await transfers(db).insertOne({ ...entry, _id: 5000 })
  await accounts(db).updateOne({ _id: Number(entry['from']) }, { $inc: { balance: -Number(entry['amount']) } })
  await accounts(db).updateOne({ _id: Number(entry['to']) }, { $inc: { balance: Number(entry['amount']) } })
}

describe('journalMatches', () => {
  const journal = {
    kind: 'journalMatches',
    name: 'journal',
    operation: 'transfers.transfer',
    balances: { collection: 'accounts', field: 'balance' },
    entries: { collection: 'transfers', from: 'from', to: 'to', amount: 'amount' },
  }
  const right = {
    entries: 60,
    acknowledged: 60,
    missing: 0,
    appliedTwice: 0,
    unknown: 0,
    unknownButApplied: 0,
    failed: 0,
    failedButApplied: 0,
    foreign: 0,
    balances: 20,
    wrongBalances: 0,
  }

  test('holds for every transfer that was written down', async () => {
    expect(await playOne(uri(), bank('journal-held', [journal]))).toMatchObject({ status: 'held', measures: right })
  })

  test('holds for transactions that their runner repeats', async () => {
    const spec = bank('journal-whole', [journal], { operations: 60 }, whole)
    expect(await playOne(uri(), spec)).toMatchObject({ status: 'held', measures: right })
  })

  test('catches transactions whose entries tell of another amount', async () => {
    const found = await playOne(uri(), bank('journal-generous', [journal], { operations: 60 }, generous))
    expect(found).toMatchObject({ status: 'violated', measures: { ...right, wrongBalances: expect.any(Number) } })
    expect(found.measures['wrongBalances']).toBeGreaterThan(0)
  })

  test('holds for data that an earlier phase has moved: what was there before is where it begins', async () => {
    const spec = bank('journal-later', [journal])
    const earlier = { ...transferPhase({ operations: 30 }), name: 'earlier' }
    const phases = [earlier, transferPhase({ operations: 60 })]
    expect(await playOne(uri(), { ...spec, phases })).toMatchObject({ status: 'held', measures: right })
  })

  test('counts the calls of a warm-up, which move money too', async () => {
    const phases = [{ ...transferPhase({ operations: 60 }), warmup: { operations: 10 } }]
    expect(await playOne(uri(), { ...bank('journal-warm', [journal]), phases })).toMatchObject({
      status: 'held',
      measures: { ...right, entries: 70, acknowledged: 70 },
    })
  })

  test.each<[string, Tamper, object, RegExp]>([
    [
      'money that no entry tells of',
      (db) => accounts(db).updateOne({ _id: 4 }, { $inc: { balance: 5 } }),
      { wrongBalances: 1, missing: 0 },
      /^the account 4 has \d+, by the journal it has \d+$/,
    ],
    [
      'an entry that is gone, and its money is not',
      (db) => transfers(db).deleteOne({ _id: 7 }),
      { missing: 1, wrongBalances: 2 },
      /^the account \d+ has/,
    ],
    [
      'a whole transfer that is gone',
      async (db) => {
        const entry = await transfers(db).findOneAndDelete({ _id: 7 })
        await accounts(db).updateOne({ _id: Number(entry?.['from']) }, { $inc: { balance: Number(entry?.['amount']) } })
        await accounts(db).updateOne({ _id: Number(entry?.['to']) }, { $inc: { balance: -Number(entry?.['amount']) } })
      },
      { missing: 1, wrongBalances: 0 },
      /^the entry 7 was acknowledged and is not there$/,
    ],
    [
      'an entry that nobody sent',
      (db) => transfers(db).insertOne({ _id: 5000, from: 1, to: 2, amount: 0 }),
      { foreign: 1, wrongBalances: 0 },
      /^the entry 5000 was never sent$/,
    ],
    [
      'an account that is gone',
      (db) => accounts(db).deleteOne({ _id: 1 }),
      { wrongBalances: 1 },
      /^the account 1 is not there$/,
    ],
    [
      'an account that was not there',
      (db) => accounts(db).insertOne({ _id: 99, balance: 0 }),
      { wrongBalances: 1 },
      /^the account 99 was not there before$/,
    ],
  ])('catches %s', async (what, tamper, measures, evidence) => {
    const spec = bank(`journal-${what.replaceAll(/[ ,]+/g, '-')}`, [journal])
    const found = await playOne(uri(), spec, tamper)
    expect(found).toMatchObject({ status: 'violated', measures })
    expect(found.evidence[0]).toMatch(evidence)
  })

  test('catches a transfer that was applied twice under two ids of the server, by the id of the client', async () => {
    const byTransfer = { ...journal, entries: { ...journal.entries, id: 'transfer' } }
    const found = await playOne(uri(), bank('journal-twice', [byTransfer]), twice)
    expect(found).toMatchObject({ status: 'violated', measures: { appliedTwice: 1, foreign: 0, wrongBalances: 0 } })
    expect(found.evidence).toEqual(['2 entries have the id "t7"'])
  })
})

const inserts = (name: string, checks: readonly object[], phase: object = {}): Played => ({
  name,
  data: { collection: 'events', document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'insert',
      load: { kind: 'closed', workers: 3 },
      stopAfter: { documents: 50 },
      operations: [{ kind: 'insertOne' }],
      ...phase,
    },
  ],
  checks,
})

const removeTwo: Tamper = (db) => events(db).deleteMany({ _id: { $in: [3, 5] } })

describe('acknowledgedWritesSurvive', () => {
  const survive = { kind: 'acknowledgedWritesSurvive', name: 'survive', operation: 'insert.insertOne' }

  test('holds when all are there', async () => {
    expect(await playOne(uri(), inserts('survive-held', [survive]))).toMatchObject({
      status: 'held',
      measures: { acknowledged: 50, lost: 0, unknown: 0, failed: 0, duplicated: 0 },
    })
  })

  test('catches acknowledged documents that are gone', async () => {
    const found = await playOne(uri(), inserts('survive-lost', [survive]), removeTwo)
    expect(found).toMatchObject({ status: 'violated', measures: { acknowledged: 50, lost: 2 } })
    // In the order of the answers, which several workers get in any.
    expect(found.evidence.toSorted()).toEqual([
      'the document with the _id 3 was acknowledged and is not there',
      'the document with the _id 5 was acknowledged and is not there',
    ])
  })

  test('knows the ids of batches, and of those that the driver makes', async () => {
    const operations = [{ kind: 'insertMany', documentsPerCall: 20, document: { n: 1 } }]
    const spec = inserts('survive-batch', [{ ...survive, operation: 'insert.insertMany' }], { operations })
    const found = await playOne(uri(), spec, (db) => db.collection('events').deleteOne({}))
    expect(found).toMatchObject({ status: 'violated', measures: { acknowledged: 50, lost: 1 } })
    expect(found.evidence[0]).toMatch(/^the document with the _id \{"\$oid":"[0-9a-f]{24}"\} was/)
  })

  test('counts documents that were refused apart', async () => {
    const operations = [{ kind: 'insertOne', document: { _id: { '@mod': [{ '@nextRow': {} }, 10] } } }]
    const spec = inserts('survive-refused', [survive], { operations, stopAfter: { operations: 30 } })
    // Every id was acknowledged once: that it was refused later says nothing.
    expect(await playOne(uri(), spec)).toMatchObject({
      status: 'held',
      measures: { acknowledged: 10, failed: 0, failedButPresent: 0 },
    })
  })
})

test('countMatches catches documents that are gone, and documents from nowhere', async () => {
  const count = { kind: 'countMatches', collection: 'events' }
  const untouched = await playOne(uri(), inserts('count-held', [count]))
  expect(untouched).toMatchObject({ status: 'held', measures: { counted: 50, expectedLeast: 50, expectedMost: 50 } })
  const fewer = await playOne(uri(), inserts('count-fewer', [count]), removeTwo)
  expect(fewer).toMatchObject({ status: 'violated', evidence: ['there are 48 documents instead of 50'] })
  const more = await playOne(uri(), inserts('count-more', [count]), (db) => events(db).insertOne({ _id: 999 }))
  expect(more).toMatchObject({ status: 'violated', evidence: ['there are 51 documents instead of 50'] })
})

test('countMatches counts what was there, inserts, upserts and deletes, in steps and alone', async () => {
  const operations = [
    { kind: 'insertMany', documentsPerCall: 3 },
    { kind: 'deleteOne', filter: { _id: { '@pickRow': { count: 20 } } } },
    {
      kind: 'updateOne',
      filter: { _id: { '@int': { min: 900, max: 950 } } },
      update: { $set: { a: 1 } },
      upsert: true,
    },
    {
      kind: 'steps',
      name: 'both',
      steps: [{ kind: 'insertOne' }, { kind: 'findOneAndDelete', filter: { _id: { '@pickRow': {} } } }],
    },
  ]
  const spec = inserts('count-all', [{ kind: 'countMatches', collection: 'events' }], {
    operations,
    stopAfter: { operations: 200 },
    warmup: { operations: 20 },
  })
  const data = { collection: 'events', rows: 40, document: { _id: { '@row': {} } } }
  const found = await playOne(uri(), { ...spec, data })
  expect(found).toMatchObject({ status: 'held', evidence: [] })
  expect(found.measures['counted']).toBeGreaterThan(40)
})

test('countMatches takes a number that the spec states', async () => {
  const [right, wrong] = await play(
    uri(),
    inserts('count-stated', [
      { kind: 'countMatches', name: 'right', collection: 'events', expected: 50 },
      { kind: 'countMatches', name: 'wrong', collection: 'events', expected: 51 },
    ]),
  )
  expect([right?.status, wrong?.status]).toEqual(['held', 'violated'])
})

test('query compares what a pipeline gives, numbers by value', async () => {
  const pipeline = [
    { $match: { _id: { $lt: 2 } } },
    { $sort: { _id: 1 } },
    { $set: { half: { $divide: ['$_id', 2] } } },
  ]
  const expect0 = [
    { _id: { $numberLong: '0' }, half: 0 },
    { _id: 1, half: 0.5 },
  ]
  const [held, ...wrong] = await play(
    uri(),
    inserts('query', [
      { kind: 'query', name: 'held', collection: 'events', pipeline, expect: expect0 },
      { kind: 'query', name: 'short', collection: 'events', pipeline, expect: expect0[0] },
      { kind: 'query', name: 'other', collection: 'events', pipeline, expect: [expect0[0], { _id: 1, half: 1 }] },
    ]),
  )
  expect(held).toMatchObject({ status: 'held', measures: { documents: 2, expected: 2, differences: 0 } })
  expect(wrong.map(({ status, evidence }) => [status, evidence])).toEqual([
    ['violated', ['document 2 is {"_id":1,"half":0.5} instead of nothing']],
    ['violated', ['document 2 is {"_id":1,"half":0.5} instead of {"_id":1,"half":1}']],
  ])
})

test('a check that the server refuses is not checked, with the reason, and the others are', async () => {
  const [broken, held] = await play(
    uri(),
    inserts('refused', [
      { kind: 'query', collection: 'events', pipeline: [{ $nonsense: 1 }], expect: [] },
      { kind: 'countMatches', collection: 'events' },
    ]),
  )
  expect(broken).toMatchObject({ status: 'not-checked', measures: {} })
  expect(broken?.reason).toContain('$nonsense')
  expect(held?.status).toBe('held')
})
