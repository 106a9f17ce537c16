import { type Document } from 'mongodb'
import { type StepCase, type StepsCase, write } from './both-engines.ts'

const insert = (_id: unknown): StepCase => ({
  kind: 'insertOne',
  given: () => ({ document: { ...(_id === undefined ? {} : { _id }), n: 1 } }),
})
const update = (change: Document = { $inc: { n: 1 } }, filter: Document = { n: { $lt: 3 } }): StepCase => ({
  kind: 'updateMany',
  given: () => ({ filter, update: change }),
})
const find = (options: Document = {}): StepCase => ({
  kind: 'find',
  given: () => ({ filter: {}, options: { ...options } }),
  documentIsRead: true,
})
const several: StepCase = {
  kind: 'insertMany',
  given: () => ({ documents: [{ _id: 60 }, { _id: 61 }, { _id: 62 }] }),
}
const repeated: StepCase = { kind: 'insertMany', given: () => ({ documents: [{ _id: 70 }, { _id: 5 }] }) }
const bulk: StepCase = {
  kind: 'bulkWrite',
  given: () => ({
    writes: [
      write('insertOne', { document: { _id: 80 } }),
      write('updateOne', { filter: { _id: 80 }, update: { $set: { n: 2 } } }),
      write('deleteMany', { filter: { n: 0 } }),
    ],
    options: { ordered: true },
  }),
}
const wrong: StepCase = { kind: 'updateOne', given: () => ({ filter: {}, update: { notAnOperator: 1 } }) }
const change: StepCase = {
  kind: 'findOneAndUpdate',
  given: () => ({ filter: { _id: 3 }, update: { $inc: { n: 1 } }, options: { returnDocument: 'after' } }),
  documentIsRead: true,
}
const distinct: StepCase = { kind: 'distinct', given: () => ({ key: 'n', filter: {} }) }
const count: StepCase = { kind: 'countDocuments', given: () => ({ filter: { n: 1 } }) }
const aggregate: StepCase = {
  kind: 'aggregate',
  given: () => ({ pipeline: [{ $match: {} }], options: { batchSize: 3 } }),
}
const skipped: StepCase = { ...insert(90), isSkipped: true }
const aborting: StepCase = { ...change, abort: ([, second]) => (second?.matched === 1 ? 'enough' : undefined) }

const all = [insert(50), several, bulk, change, find({ batchSize: 4 }), count, distinct, aggregate, update()]

const conflict = { errorCode: 112, errorLabels: ['TransientTransactionError'] }
/** Its connection has a number in the driver's words. */
const lost = { closeConnection: true }

const made = (steps: readonly StepCase[], failPoint?: Document): StepsCase => ({
  steps,
  transaction: {},
  ...(failPoint && { failPoint }),
})

export const transactions: Readonly<Record<string, StepsCase>> = {
  steps: { steps: all },
  'steps of which one is refused': { steps: [insert(50), insert(5), insert(51)] },
  'steps of which one is refused by the engine': { steps: [insert(50), wrong, insert(51)] },
  'steps of which one is skipped': { steps: [insert(50), skipped, find()] },
  'steps of which all are skipped': { steps: [skipped, skipped] },
  'a transaction': made(all),
  'an empty transaction': made([skipped, skipped]),
  'a transaction of one insert': made([insert(undefined)]),
  'a transaction of one read': made([find()]),
  'a transaction that is aborted': made([insert(50), aborting, insert(51)]),
  'a transaction whose write is refused': made([insert(50), insert(5), insert(51)]),
  'a transaction whose bulk is refused': made([insert(50), repeated, insert(51)]),
  'a transaction whose first step is refused by the engine': made([wrong, insert(51)]),
  'a transaction whose second step is refused by the engine': made([insert(50), wrong]),
  'a transaction that meets a conflict': made(all, { failCommands: ['update'], ...conflict }),
  'a transaction that meets a conflict in its first command': made(all, { failCommands: ['insert'], ...conflict }),
  'a transaction that meets a conflict each time': made(all, {
    failCommands: ['update'],
    ...conflict,
    mode: { times: 5 },
  }),
  'a transaction whose connection breaks': made(all, { failCommands: ['findAndModify'], ...lost }),
  'a transaction whose connection breaks in a bulk': made(all, { failCommands: ['delete'], ...lost }),
  'a transaction whose connection breaks at the commit': made(all, { failCommands: ['commitTransaction'], ...lost }),
  'a transaction whose commit is refused': made(all, { failCommands: ['commitTransaction'], errorCode: 8000 }),
  'a transaction whose commit meets a conflict': made(all, { failCommands: ['commitTransaction'], ...conflict }),
  'a transaction whose write concern is not met': made(all, {
    failCommands: ['commitTransaction'],
    writeConcernError: { code: 91, codeName: 'ShutdownInProgress', errmsg: 'on purpose' },
  }),
  'a transaction whose write concern is never met': {
    ...made(all),
    transaction: { writeConcern: { w: 2, wtimeoutMS: 100 } },
  },
  'a transaction that the abort does not reach': made([insert(50), insert(5)], {
    failCommands: ['abortTransaction'],
    ...lost,
  }),
  'a transaction after all of these': made(all),
}
