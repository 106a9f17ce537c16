import { expect, test } from 'vitest'
import { sharedPrimary } from '../../support/shared-servers.ts'
import { accounts, bank, generous, whole } from './a-bank.ts'
import { playOne, type Tamper } from './play.ts'

const server = sharedPrimary()

const total = { kind: 'sumUnchanged', collection: 'accounts', field: 'balance', min: 0 }

test('holds where money only moves', async () => {
  expect(await playOne(server.uri, bank('sum-held', [total]))).toEqual({
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
    server.uri,
    bank('sum-torn', [{ ...total, during }], { operations: 300 }),
  )
  expect(status).toBe('violated')
  expect(measures['wrongReads']).toBeGreaterThan(0)
  expect(measures['lowest']).toBeLessThan(2000)
  expect(measures['highest']).toBe(2000)
  expect(evidence[0]?.replace(/^\d+\.\d\d s/, 'N s').replace(/19\d\d/, 'SUM')).toSay('sum-during-differs')
  expect(evidence.join()).not.toContain('at the end')
})

test('holds, by snapshots during the phase, where the same transfers are transactions', async () => {
  const during = { phase: 'transfers', everySeconds: 0.01 }
  const spec = bank('sum-whole', [{ ...total, during }], { operations: 200 }, whole)
  const { status, measures } = await playOne(server.uri, spec)
  expect(status).toBe('held')
  expect(measures).toMatchObject({ wrongReads: 0, lowest: 2000, highest: 2000 })
  expect(measures['reads']).toBeGreaterThan(1)
})

test('catches transactions that make money, during the phase and at its end', async () => {
  const during = { phase: 'transfers', everySeconds: 0.01 }
  const spec = bank('sum-generous', [{ ...total, during }], { operations: 200 }, generous)
  const { status, measures, evidence } = await playOne(server.uri, spec)
  expect(status).toBe('violated')
  expect(measures).toMatchObject({ lowest: 2000, highest: 2200 })
  expect(evidence[0]?.replace(/^\d+\.\d\d s/, 'N s').replace(/2\d\d\d/, 'SUM')).toSay('sum-during-differs')
})

test('holds during a phase that moves nothing', async () => {
  const spec = bank('sum-still', [{ ...total, during: { phase: 'touch', everySeconds: 0.02 } }])
  const touch = {
    name: 'touch',
    stopAfter: { operations: 300 },
    operations: [{ kind: 'updateOne', collection: 'accounts', filter: { _id: 3 }, update: { $inc: { touched: 1 } } }],
  }
  const found = await playOne(server.uri, { ...spec, phases: [touch] })
  expect(found).toMatchObject({ status: 'held', measures: { wrongReads: 0, failedReads: 0 } })
  expect(found.measures['reads']).toBeGreaterThan(1)
})

test.each<[string, Tamper, object, unknown]>([
  [
    'money from nowhere',
    (db) => accounts(db).updateOne({ _id: 1 }, { $inc: { balance: 5 } }),
    { wrongReads: 1, highest: 2005, missing: 0 },
    expect.toSay('sum-at-end-differs', { sum: 2005, expected: 2000 }),
  ],
  [
    'an account that is gone',
    (db) => accounts(db).deleteOne({ _id: 1 }),
    { wrongReads: 1, missing: 1, foreign: 0 },
    expect.toSay('sum-documents-differ'),
  ],
  [
    'an account in the place of another',
    async (db) => {
      const gone = await accounts(db).findOneAndDelete({ _id: 1 })
      await accounts(db).insertOne({ _id: 77, balance: gone?.balance ?? 0 })
    },
    { wrongReads: 0, missing: 1, foreign: 1 },
    expect.toSay('sum-document-gone', { id: 1 }),
  ],
  [
    'a debt',
    async (db) => {
      await accounts(db).updateOne({ _id: 1 }, { $inc: { balance: -500 } })
      await accounts(db).updateOne({ _id: 2 }, { $inc: { balance: 500 } })
    },
    { wrongReads: 1, lowest: 2000, highest: 2000 },
    expect.toSay('sum-value-below'),
  ],
  [
    'a balance that is no number',
    (db) => accounts(db).updateOne({ _id: 1 }, { $unset: { balance: 1 } }),
    { wrongReads: 1 },
    expect.toSay('sum-without-number'),
  ],
])('catches %s', async (what, tamper, measures, evidence) => {
  const spec = bank(`sum-${what.replaceAll(' ', '-')}`, [total])
  const found = await playOne(server.uri, spec, tamper)
  expect(found).toMatchObject({ status: 'violated', measures })
  expect(found.evidence[0]?.replace(/-\d+/, '-N')).toEqual(evidence)
})
