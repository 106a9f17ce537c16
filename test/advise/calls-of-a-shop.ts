import { type KnownFields, readFields } from '../../src/advise/propose.ts'
import { type BsonDocument } from '../../src/language/values/bson-types.ts'
import { type ProfiledCall, readEntry } from '../../src/sources/init/profile/profiled-call.ts'
import { fail } from '../fakes/fail.ts'
import { profileOf } from '../fakes/fake-collection-profile.ts'

/** A document as the tests of candidates know it: `customer` has 100 values, `city` 10, `flag` 2; 5 % are open. */
export const makeOrder = (_id: number): BsonDocument => ({
  _id,
  customer: _id % 100,
  city: `c${_id % 10}`,
  flag: _id % 2 === 0,
  status: _id % 20 === 0 ? 'open' : 'done',
  at: new Date(1_700_000_000_000 + _id),
  total: _id % 50,
  tags: [`t${_id % 30}`],
  items: [{ sku: `s${_id % 40}`, count: _id % 3 }],
})

/** The profile of a sample of 400 of them. */
export const orders = profileOf(Array.from({ length: 400 }, (_, i) => makeOrder(i)))

export const fields: KnownFields = readFields(orders)

/** A call as a profile has it, read. */
export function readCall(op: string, command: BsonDocument, entry: BsonDocument = {}): ProfiledCall {
  const read = readEntry({ op, ns: 'shop.orders', command, ...entry }, 'shop')
  return read === undefined || 'skipped' in read ? fail('It is not a call of a program') : read
}

export const readFind = (command: BsonDocument): ProfiledCall => readCall('query', { find: 'orders', ...command })

export const readAggregate = (...pipeline: readonly BsonDocument[]): ProfiledCall =>
  readCall('command', { aggregate: 'orders', pipeline, cursor: {} })
