import { type Db, type Document } from 'mongodb'
import { type CallGroup, createGrouping } from '../../../src/sources/init/profile/call-groups.ts'

/** Documents of `orders`. */
const documents = 4000

/** A document whose fields have so many values: `customer` 200, `city` 20, `total` 1000, `flag` 2; 2 % are open, 1 % have no `closedAt`. */
const makeOrder = (_id: number): Document => ({
  _id,
  customer: _id % 200,
  city: `c${_id % 20}`,
  at: new Date(1_700_000_000_000 + ((_id * 7919) % documents) * 60_000),
  total: (_id * 7) % 1000,
  flag: _id % 2 === 0,
  status: _id % 50 === 0 ? 'open' : 'done',
  closedAt: _id % 100 === 0 ? null : new Date(1_700_000_000_000 + _id),
  email: `user${_id}@example.org`,
  tags: [`t${_id % 300}`, 'all'],
  items: [{ sku: `s${_id % 400}`, count: _id % 3 }],
  note: `note ${_id % 700}`,
})

/** A call as the profile of a server has it. */
type Call = Document

const repeat = (times: number, entry: (i: number) => Call): readonly Call[] =>
  Array.from({ length: times }, (_, i) => entry(i))
const find = (times: number, command: (i: number) => Document): readonly Call[] =>
  repeat(times, (i) => ({ op: 'query', command: { find: 'orders', ...command(i) } }))
const aggregate = (times: number, pipeline: (i: number) => readonly Document[]): readonly Call[] =>
  repeat(times, (i) => ({ op: 'command', command: { aggregate: 'orders', pipeline: pipeline(i), cursor: {} } }))
const insert = (times: number): readonly Call[] =>
  repeat(times, () => ({ op: 'insert', command: { insert: 'orders' }, ninserted: 1 }))

/** Calls, and the advice that is right for them by construction. */
export type Workload = {
  readonly name: string
  readonly indexes?: readonly Document[]
  readonly calls: readonly Call[]
  /** Indexes to create, by collection and key. */
  readonly create: readonly string[]
  readonly drop?: readonly string[]
  /** Default: there is none. */
  readonly note?: RegExp
}

export const workloads: readonly Workload[] = [
  {
    name: 'one value',
    calls: find(20, (i) => ({ filter: { customer: i } })),
    create: ['orders { customer: 1 }'],
  },
  {
    name: 'one value and an order',
    calls: find(20, (i) => ({ filter: { city: `c${i}` }, sort: { at: -1 }, limit: 5 })),
    create: ['orders { city: 1, at: -1 }'],
  },
  {
    name: 'one value, an order and a range that most documents pass',
    calls: find(20, (i) => ({ filter: { city: `c${i}`, total: { $gt: 100 } }, sort: { at: 1 }, limit: 5 })),
    create: ['orders { city: 1, at: 1, total: 1 }'],
  },
  {
    name: 'a range that few documents pass, before an order',
    calls: find(20, (i) => ({ filter: { total: { $gte: 980 + (i % 5) } }, sort: { at: 1 } })),
    create: ['orders { total: 1 }'],
  },
  {
    name: 'half of the documents: a scan is right',
    calls: find(20, (i) => ({ filter: { flag: i % 2 === 0 } })),
    create: [],
  },
  {
    name: 'writes that cost more than a read saves',
    calls: [...find(1, () => ({ filter: { customer: 7 } })), ...insert(2000)],
    create: [],
  },
  {
    name: 'two queries that share one index',
    calls: [
      ...find(20, (i) => ({ filter: { city: `c${i}` }, sort: { at: -1 }, limit: 5 })),
      ...find(20, (i) => ({ filter: { city: `c${i}`, at: { $gt: new Date(1_700_000_000_000 + 3900 * 60_000) } } })),
    ],
    create: ['orders { city: 1, at: -1 }'],
  },
  {
    name: 'fields in the order that another query can use too',
    calls: [
      ...find(20, (i) => ({ filter: { city: `c${i}` }, projection: { _id: 1 } })),
      ...find(20, (i) => ({ filter: { city: `c${i}`, total: (i * 7) % 1000 } })),
    ],
    create: ['orders { city: 1, total: 1 }'],
  },
  {
    name: 'a join, by the field of the other collection',
    calls: aggregate(20, (i) => [
      { $match: { _id: i } },
      { $lookup: { from: 'customers', localField: 'email', foreignField: 'mail', as: 'who' } },
    ]),
    create: ['customers { mail: 1 }'],
  },
  {
    name: 'an order in two directions',
    calls: find(20, (i) => ({ sort: { total: 1, at: -1 }, skip: i, limit: 5 })),
    create: ['orders { total: 1, at: -1 }'],
  },
  {
    name: 'an element of a list',
    calls: find(20, (i) => ({ filter: { tags: `t${i}` } })),
    create: ['orders { tags: 1 }'],
  },
  {
    name: 'elements of two lists: one index goes through one of them',
    calls: find(20, (i) => ({ filter: { tags: 'all', 'items.sku': `s${i}` } })),
    create: ['orders { "items.sku": 1 }'],
  },
  {
    name: 'two fields of one element',
    calls: find(20, (i) => ({ filter: { items: { $elemMatch: { sku: `s${i}`, count: i % 3 } } } })),
    create: ['orders { "items.sku": 1, "items.count": 1 }'],
  },
  {
    name: 'a value that is missing',
    calls: find(20, () => ({ filter: { closedAt: null } })),
    create: ['orders { closedAt: 1 }'],
  },
  {
    name: 'a list of three values, and an order',
    calls: find(20, (i) => ({
      filter: { city: { $in: [`c${i % 20}`, `c${(i + 1) % 20}`, `c${(i + 2) % 20}`] } },
      sort: { at: 1 },
      limit: 3,
    })),
    create: ['orders { city: 1, at: 1 }'],
  },
  {
    name: 'a list of many values',
    calls: find(20, (i) => ({
      filter: { email: { $in: Array.from({ length: 300 }, (_, j) => `user${i + j}@example.org`) } },
    })),
    create: ['orders { email: 1 }'],
  },
  {
    name: 'a list of most of all values: a scan is right',
    calls: find(20, (i) => ({
      filter: { email: { $in: Array.from({ length: 3000 }, (_, j) => `user${i + j}@example.org`) } },
    })),
    create: [],
  },
  {
    name: 'a beginning of a text',
    calls: find(20, (i) => ({ filter: { email: new RegExp(`^user${i + 100}`) } })),
    create: ['orders { email: 1 }'],
  },
  {
    name: 'an expression that reads every key',
    calls: find(20, (i) => ({ filter: { note: new RegExp(`e ${i}`) } })),
    create: [],
    note: /an unanchored expression reads every key of \{note\}/,
  },
  {
    name: 'an expression that ignores case',
    calls: find(20, (i) => ({ filter: { email: new RegExp(`^USER${i}`, 'i') } })),
    create: [],
    note: /a case-insensitive expression/,
  },
  {
    name: 'alternatives, each with an index of its own',
    calls: find(20, (i) => ({ filter: { $or: [{ customer: i }, { total: i }] } })),
    create: ['orders { customer: 1 }', 'orders { total: 1 }'],
  },
  {
    name: 'a constant that few documents have',
    calls: [...find(40, () => ({ filter: { status: 'open' }, sort: { at: 1 }, limit: 5 })), ...insert(20)],
    create: ['orders { at: 1 } where {"status":"open"}'],
  },
  {
    name: 'a collation of the query',
    calls: find(20, (i) => ({ filter: { note: `NOTE ${i}` }, collation: { locale: 'en', strength: 2 } })),
    create: ['orders { note: 1 } in en'],
  },
  {
    name: 'an answer that the index has by itself',
    calls: find(20, (i) => ({ filter: { city: `c${i}` }, projection: { total: 1, _id: 0 } })),
    create: ['orders { city: 1, total: 1 }'],
  },
  {
    name: 'sums of a group',
    calls: aggregate(20, (i) => [{ $match: { city: `c${i}` } }, { $group: { _id: '$city', all: { $sum: '$total' } } }]),
    create: ['orders { city: 1, total: 1 }'],
  },
  {
    name: 'the filter of an update',
    calls: repeat(20, (i) => ({
      op: 'update',
      command: { q: { email: `user${i}@example.org` }, u: { $set: { flag: true } } },
      nMatched: 1,
    })),
    create: ['orders { email: 1 }'],
  },
  {
    name: 'the filter of a delete',
    calls: repeat(20, (i) => ({ op: 'remove', command: { q: { note: `note ${i}` }, limit: 1 }, ndeleted: 1 })),
    create: ['orders { note: 1 }'],
  },
  {
    name: 'an index of today that does it',
    indexes: [{ key: { customer: 1, at: 1 }, name: 'customer_1_at_1' }],
    calls: find(20, (i) => ({ filter: { customer: i } })),
    create: [],
  },
  {
    name: 'a prefix of another index',
    indexes: [
      { key: { customer: 1 }, name: 'customer_1' },
      { key: { customer: 1, at: 1 }, name: 'customer_1_at_1' },
    ],
    calls: find(20, (i) => ({ filter: { customer: i }, sort: { at: 1 } })),
    create: [],
    drop: ['customer_1'],
  },
  {
    name: 'an index that no call uses, and one that keeps values unique',
    indexes: [
      { key: { flag: 1 }, name: 'flag_1' },
      { key: { email: 1 }, name: 'email_1', unique: true },
    ],
    calls: find(20, (i) => ({ filter: { customer: i } })),
    create: ['orders { customer: 1 }'],
    drop: ['flag_1'],
  },
  {
    name: 'calls by _id alone',
    calls: find(20, (i) => ({ filter: { _id: i } })),
    create: [],
  },
]

/** Makes a database with the documents and indexes of a workload. @returns its calls by shape. */
export async function prepare(db: Db, { indexes = [], calls }: Workload): Promise<readonly CallGroup[]> {
  await db.dropDatabase()
  await db.collection('orders').insertMany(Array.from({ length: documents }, (_, i) => makeOrder(i)))
  await db
    .collection('customers')
    .insertMany(Array.from({ length: 1000 }, (_, i) => ({ mail: `user${i}@example.org` })))
  if (indexes.length > 0) await db.command({ createIndexes: 'orders', indexes })
  const grouping = createGrouping(db.databaseName)
  for (const call of calls) grouping.add({ ns: `${db.databaseName}.orders`, ...call })
  return grouping.result().groups
}
