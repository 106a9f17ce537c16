import { type Db } from 'mongodb'
import { type Played } from './play.ts'

type Account = { readonly _id: number; readonly balance: number }

export const accounts = (db: Db) => db.collection<Account>('accounts')
export const transfers = (db: Db) => db.collection<{ _id: number; [field: string]: unknown }>('transfers')

/** Twenty accounts of 100 each. */
const accountsData = { collection: 'accounts', rows: 20, document: { _id: { '@row': {} }, balance: 100 } }
const journalData = { collection: 'transfers', document: { _id: { '@row': {} } } }

const account = (name: string) => ({ _id: { '@key': { of: 'accounts', row: { '@var': name } } } })

/** Takes from one account, gives to another and writes that down: three calls, and no transaction around them. */
export const transfer = {
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
export const whole = {
  ...transfer,
  kind: 'transaction',
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
}

/** A transaction that gives one more than it takes. */
export const generous = { ...whole, let: { ...transfer.let, minus: { '@subtract': [1, { '@var': 'amount' }] } } }

export const transferPhase = (stopAfter: object, operation: object = transfer) => ({
  name: 'transfers',
  load: { kind: 'closed', workers: 4 },
  stopAfter,
  operations: [operation],
})

export const bank = (
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
