import { MongoClient, ReadConcern, WriteConcern } from 'mongodb'
import { expect, test } from 'vitest'
import { resolveClient, toOperationPlace, type Subject } from '../../../../src/verdicts/testing/work/subject.ts'

/** Connects when it is used first, which it is not here. */
const client = new MongoClient('mongodb://localhost/shop')

const connection = (db: object | undefined) => ({ db, getClient: () => client })

test.each<[string, Subject, string, string | undefined]>([
  ['a client', client, 'shop', undefined],
  ['a database', client.db('stock'), 'stock', undefined],
  ['a collection', client.db('stock').collection('items'), 'stock', 'items'],
  ['a connection of mongoose', connection(client.db('stock')), 'stock', undefined],
  ['a connection that is not open yet', connection(undefined), 'shop', undefined],
])('operations go to the database and the collection of %s', (_, place, database, collection) => {
  const found = toOperationPlace(place)
  expect(found.client).toBe(client)
  expect([found.database.databaseName, found.collection]).toEqual([database, collection])
})

test('a database and a collection keep their concerns', () => {
  const concerns = {
    readConcern: new ReadConcern('majority'),
    writeConcern: new WriteConcern(1),
    readPreference: 'nearest',
  } as const
  const places = [client.db('stock', concerns), client.db('stock').collection('items', concerns)]
  for (const { database } of places.map(toOperationPlace)) {
    expect([database.readConcern?.level, database.writeConcern?.w]).toEqual(['majority', 1])
    expect(database.readPreference.mode).toBe('nearest')
  }
})

test('what has no client is refused', () => expect(() => resolveClient({})).toSay('subject-without-client'))
