import { expect, test } from 'vitest'
import { fail } from '../../../fakes/fail.ts'
import { sharedPrimary } from '../../support/shared-servers.ts'
import { accounts, bank, generous, transferPhase, transfers, whole } from './a-bank.ts'
import { playOne, type Tamper } from './play.ts'

const server = sharedPrimary()

const twice: Tamper = async (db) => {
  const entry = (await transfers(db).findOne({ _id: 7 })) ?? fail('no entry')
  await transfers(db).insertOne({ ...entry, _id: 5000 })
  await accounts(db).updateOne({ _id: Number(entry['from']) }, { $inc: { balance: -Number(entry['amount']) } })
  await accounts(db).updateOne({ _id: Number(entry['to']) }, { $inc: { balance: Number(entry['amount']) } })
}

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

test('holds for every transfer that was written down', async () =>
  expect(await playOne(server.uri, bank('journal-held', [journal]))).toMatchObject({ status: 'held', measures: right }))

test('holds for transactions that their runner repeats', async () => {
  const spec = bank('journal-whole', [journal], { operations: 60 }, whole)
  expect(await playOne(server.uri, spec)).toMatchObject({ status: 'held', measures: right })
})

test('catches transactions whose entries tell of another amount', async () => {
  const found = await playOne(server.uri, bank('journal-generous', [journal], { operations: 60 }, generous))
  expect(found).toMatchObject({ status: 'violated', measures: { ...right, wrongBalances: expect.any(Number) } })
  expect(found.measures['wrongBalances']).toBeGreaterThan(0)
})

test('holds for data that an earlier phase has moved: what was there before is where it begins', async () => {
  const spec = bank('journal-later', [journal])
  const earlier = { ...transferPhase({ operations: 30 }), name: 'earlier' }
  const phases = [earlier, transferPhase({ operations: 60 })]
  expect(await playOne(server.uri, { ...spec, phases })).toMatchObject({ status: 'held', measures: right })
})

test('counts the calls of a warm-up, which move money too', async () => {
  const phases = [{ ...transferPhase({ operations: 60 }), warmup: { operations: 10 } }]
  expect(await playOne(server.uri, { ...bank('journal-warm', [journal]), phases })).toMatchObject({
    status: 'held',
    measures: { ...right, entries: 70, acknowledged: 70 },
  })
})

test.each<[string, Tamper, object, unknown]>([
  [
    'money that no entry tells of',
    (db) => accounts(db).updateOne({ _id: 4 }, { $inc: { balance: 5 } }),
    { wrongBalances: 1, missing: 0 },
    expect.toSay('journal-balance-differs', { account: 4 }),
  ],
  [
    'a whole transfer that is gone',
    async (db) => {
      const entry = await transfers(db).findOneAndDelete({ _id: 7 })
      await accounts(db).updateOne({ _id: Number(entry?.['from']) }, { $inc: { balance: Number(entry?.['amount']) } })
      await accounts(db).updateOne({ _id: Number(entry?.['to']) }, { $inc: { balance: -Number(entry?.['amount']) } })
    },
    { missing: 1, wrongBalances: 0 },
    expect.toSay('journal-entry-lost', { entry: 7 }),
  ],
  [
    'an entry that nobody sent',
    (db) => transfers(db).insertOne({ _id: 5000, from: 1, to: 2, amount: 0 }),
    { foreign: 1, wrongBalances: 0 },
    expect.toSay('journal-entry-foreign', { entry: 5000 }),
  ],
  [
    'an account that is gone',
    (db) => accounts(db).deleteOne({ _id: 1 }),
    { wrongBalances: 1 },
    expect.toSay('journal-account-gone', { account: 1 }),
  ],
  [
    'an account that was not there',
    (db) => accounts(db).insertOne({ _id: 99, balance: 0 }),
    { wrongBalances: 1 },
    expect.toSay('journal-account-new', { account: 99 }),
  ],
])('catches %s', async (what, tamper, measures, evidence) => {
  const spec = bank(`journal-${what.replaceAll(/[ ,]+/g, '-')}`, [journal])
  const found = await playOne(server.uri, spec, tamper)
  expect(found).toMatchObject({ status: 'violated', measures })
  expect(found.evidence[0]?.replaceAll(/(?<= has )-?\d+/g, 'N')).toEqual(evidence)
})

test('catches a transfer that was applied twice under two ids of the server, by the id of the client', async () => {
  const byTransfer = { ...journal, entries: { ...journal.entries, id: 'transfer' } }
  const found = await playOne(server.uri, bank('journal-twice', [byTransfer]), twice)
  expect(found).toMatchObject({ status: 'violated', measures: { appliedTwice: 1, foreign: 0, wrongBalances: 0 } })
  expect(found.evidence).toSay('journal-entries-of-one-id', { entries: 2, id: 't7' })
})
