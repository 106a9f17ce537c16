import { describe, expect, test } from 'vitest'
import { type RecordedSetup } from '../../../src/sources/mongo-perf/recorded.ts'
import { recordTest, recordText, refusalOf } from './recorded-here.ts'

const setupOf = (body: string): RecordedSetup | undefined =>
  recordTest(`{ name: 'Some.Test', pre: function (collection, env) { ${body} }, ops: [] }`).setups[0]?.pre

const linesOf = (body: string): readonly unknown[] =>
  (setupOf(body)?.collections ?? []).flatMap(({ lines }) => lines.map((line) => JSON.parse(line) as unknown))

describe('documents', () => {
  test('have the types that the shell would send', () => {
    const [document] = linesOf(`collection.insert({
      whole: 5, half: 0.5, none: NaN, zero: -0, int: NumberInt(7), long: NumberLong('9007199254740993'),
      decimal: NumberDecimal('1.50'), id: ObjectId('0123456789abcdef01234567'), at: new Date(5), iso: ISODate('1970-01-01'),
      pattern: /^a/gi, text: 'a', yes: true, nothing: null, list: [1, { b: 2 }], stamp: Timestamp(3, 4),
      bytes: BinData(0, 'AAEC'), uuid: UUID('00112233-4455-6677-8899-aabbccddeeff'), low: MinKey(), code: function () { return 1 }
    })`)
    expect(document).toEqual({
      whole: { $numberDouble: '5.0' },
      half: 0.5,
      none: { $numberDouble: 'NaN' },
      zero: { $numberDouble: '-0.0' },
      int: { $numberInt: '7' },
      long: { $numberLong: '9007199254740993' },
      decimal: { $numberDecimal: '1.50' },
      id: { $oid: '0123456789abcdef01234567' },
      at: { $date: { $numberLong: '5' } },
      iso: { $date: { $numberLong: '0' } },
      pattern: { $regularExpression: { pattern: '^a', options: 'i' } },
      text: 'a',
      yes: true,
      nothing: null,
      list: [{ $numberDouble: '1.0' }, { b: { $numberDouble: '2.0' } }],
      stamp: { $timestamp: { t: 3, i: 4 } },
      bytes: { $binary: { base64: 'AAEC', subType: '00' } },
      uuid: { $binary: { base64: 'ABEiM0RVZneImaq7zN3u/w==', subType: '04' } },
      low: { $minKey: 1 },
      code: { $code: expect.stringContaining('return 1') },
    })
  })

  test('of all ways to insert come in their order', () => {
    const lines = linesOf(`
      collection.insert({ a: 1 })
      collection.insert([{ a: 2 }, { a: 3 }])
      collection.insertOne({ a: 4 })
      collection.insertMany([{ a: 5 }], { ordered: false })
      var bulk = collection.initializeUnorderedBulkOp()
      bulk.insert({ a: 6 })
      assert.writeOK(bulk.execute())
      collection.bulkWrite([{ insertOne: { document: { a: 7 } } }])
      collection.save({ a: 8 })
      assert.commandWorked(collection.getDB().runCommand({ insert: collection.getName(), documents: [{ a: 9 }] }))`)
    expect(lines).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((a) => ({ a: { $numberDouble: `${a}.0` } })))
  })

  test('are measured in bytes of BSON, as the shell has them', () => {
    const body = `
      var one = { text: '', number: 5, long: NumberLong(1) }
      while (Object.bsonsize(one) < 100) one.text += 'x'
      collection.insert({ empty: Object.bsonsize({}), whole: Object.bsonsize(one), letters: one.text.length })`
    expect(linesOf(body)).toEqual([
      { empty: { $numberDouble: '5.0' }, whole: { $numberDouble: '100.0' }, letters: { $numberDouble: '54.0' } },
    ])
  })

  test('are recorded beside a plan cache that is cleared: there are no plans yet', () => {
    expect(linesOf('collection.insert({ a: "x" }); collection.getPlanCache().clear()')).toEqual([{ a: 'x' }])
    expect(refusalOf('collection.getPlanCache().list()')).toSay('import-plan-cache-read')
  })

  test('are kept as they were when they were inserted', () => {
    const body = 'var one = { a: "x" }; collection.insert(one); one.a = "y"; collection.insert(one)'
    expect(linesOf(body)).toEqual([{ a: 'x' }, { a: 'y' }])
  })

  test('are the same in every import, also where they are drawn', () => {
    const body = `Random.setRandomSeed(258)
      for (var i = 0; i < 20; i++) collection.insert({ _id: new ObjectId(), a: Random.rand(), b: Random.randInt(10), c: Math.random() })`
    expect(linesOf(body)).toEqual(linesOf(body))
    expect(new Set(linesOf(body).map((line) => JSON.stringify(line))).size).toBe(20)
  })

  test('with an _id that is there are not inserted, and the shell goes on', () => {
    const body = `collection.insert({ _id: 1, a: 'first' })
      collection.insert({ _id: NumberLong(1), a: 'again' })
      collection.insert({ _id: '1' })
      collection.getDB().other.insert({ _id: 1 })
      collection.insert([{ a: 'made' }, { a: 'made' }])`
    expect(setupOf(body)?.duplicates).toBe(1)
    expect(linesOf(body)).toMatchObject([{ a: 'first' }, { _id: '1' }, { a: 'made' }, { a: 'made' }, {}])
    expect(linesOf(`collection.insert({ _id: 1 }); collection.drop(); collection.insert({ _id: 1 })`)).toHaveLength(1)
  })

  test('that were dropped are gone, with the writes and indexes of their collection', () => {
    const body = `collection.insert({ a: 1 }); collection.createIndex({ a: 1 }); collection.update({}, { $set: { b: 1 } })
      collection.drop(); collection.insert({ a: 'kept' })`
    expect(setupOf(body)).toMatchObject({ collections: [{ lines: ['{"a":"kept"}'], indexes: [] }], writes: [] })
  })
})

describe('a collection', () => {
  test('has its options, indexes, and which came first', () => {
    const setup = setupOf(`
      collection.runCommand('create', { capped: true, size: 4096, autoIndexId: true })
      collection.ensureIndex({ a: 1 }, { unique: true, background: true })
      collection.insert({})
      collection.createIndexes([{ b: -1 }, { c: 'text' }])
      collection.createIndex({ _id: 1 })
      collection.dropIndex({ b: -1 })
      var other = collection.getDB()['other']
      other.insert({})
      other.createIndex({ a: 1 })
      other.dropIndex('a_1')
      other.createIndex({ d: 1 })`)
    expect(setup?.collections).toMatchObject([
      {
        name: 'Some_Test0',
        options: { capped: true, size: 4096 },
        indexes: [{ key: { a: 1 }, unique: true }, { key: { c: 'text' } }],
        indexedFirst: true,
      },
      { name: 'other', options: {}, indexes: [{ key: { d: 1 } }], indexedFirst: false },
    ])
  })

  test('may be a view, and lie below another one', () => {
    const setup = setupOf(`
      var db = collection.getDB()
      db.createView('v', 'base', [{ $match: { a: 1 } }])
      db.base.below.insert({ full: collection.getFullName() })`)
    expect(setup?.collections).toMatchObject([
      { name: 'v', options: { viewOn: 'base', pipeline: [{ $match: { a: 1 } }] } },
      { name: 'base.below', lines: ['{"full":"test0.Some_Test0"}'] },
    ])
  })
})

test('other writes are kept in their order, and an insert after them follows them', () => {
  const setup = setupOf(`
    collection.insert({ _id: 'x' })
    collection.update({ a: 1 }, { $inc: { b: 1 } }, { multi: true })
    collection.update({ a: 1 }, { c: 1 }, true)
    collection.updateOne({}, [{ $set: { d: 1 } }])
    collection.remove({ a: 2 }, true)
    collection.deleteMany({})
    collection.save({ _id: 'y' })
    collection.insert({ _id: 'z' })
    var bulk = collection.initializeOrderedBulkOp()
    bulk.find({ e: 1 }).upsert().updateOne({ $set: { f: 1 } })
    bulk.find({ e: 2 }).remove()
    bulk.execute()
    collection.initializeOrderedBulkOp().insert({ never: 'executed' })`)
  expect(setup?.collections.map(({ lines }) => lines)).toEqual([['{"_id":"x"}']])
  expect(setup?.writes.map(({ model }) => model)).toEqual([
    { updateMany: { filter: { a: 1 }, update: { $inc: { b: 1 } } } },
    { replaceOne: { filter: { a: 1 }, replacement: { c: 1 }, upsert: true } },
    { updateOne: { filter: {}, update: [{ $set: { d: 1 } }] } },
    { deleteOne: { filter: { a: 2 } } },
    { deleteMany: { filter: {} } },
    { replaceOne: { filter: { _id: 'y' }, replacement: { _id: 'y' }, upsert: true } },
    { insertOne: { document: { _id: 'z' } } },
    { updateOne: { filter: { e: 1 }, update: { $set: { f: 1 } }, upsert: true } },
    { deleteMany: { filter: { e: 2 } } },
  ])
})

test('parameters of the server are kept', () => {
  const setup = setupOf('db.adminCommand({ setParameter: 1, internalQueryForceClassicEngine: true })')
  expect(setup?.serverParameters).toEqual({ internalQueryForceClassicEngine: true })
})

test('a test whose pre reads the number of threads is recorded for each of them', () => {
  const body = 'function (collection, env) { for (var i = 0; i < env.threads; i++) collection.insert({}) }'
  const { setups } = recordTest(`{ name: 'T', pre: ${body}, ops: [] }`, { threads: [1, 4] })
  expect(setups.map(({ threads, pre }) => [threads, pre.collections[0]?.lines.length])).toEqual([
    [[1], 1],
    [[4], 4],
  ])
  const { setups: one } = recordTest("{ name: 'T', ops: [] }", { threads: [1, 4] })
  expect(one.map(({ threads }) => threads)).toEqual([[1, 4]])
})

describe('a file', () => {
  test('finds what files before it define, loads others, and adds to the built-ins of the shell', () => {
    const names = recordText(
      `load('util/more.js')
       if (typeof(tests) != 'object') tests = []
       tests.push(Object.extend({ name: prefix + suffix, ops: [] }, { tags: ['a'] }))
       if (Array.contains(tests[0].tags, 'a')) tests.push({ name: 'Second', ops: [] })`,
      { files: { 'util/a.js': "var prefix = 'Pre'", 'util/more.js': "suffix = 'fix'" }, before: ['util/a.js'] },
    ).map((recording) => (recording.kind === 'recorded' ? recording.test.name : recording.reason))
    expect(names).toEqual(['Prefix', 'Second'])
  })

  test('gives only the chosen tests', () => {
    const text = "tests = ['Insert.A', 'Insert.B', 'Find.A'].map((name) => ({ name, ops: [] }))"
    const chosen = (...tests: readonly string[]): readonly string[] =>
      recordText(text, { tests }).map((recording) => (recording.kind === 'recorded' ? recording.test.name : ''))
    expect(chosen('Insert.*')).toEqual(['Insert.A', 'Insert.B'])
    expect(chosen('*.A')).toEqual(['Insert.A', 'Find.A'])
    expect(chosen('Find.A')).toEqual(['Find.A'])
    expect(chosen('Find')).toEqual([])
  })

  test('lists what is no test as refused, by its name or place', () => {
    const text =
      "tests = [{ ops: [] }, 5, { name: 'Plain', kind: 'x', ops: [] }, { name: 'Bare' }, { name: 'Odd', ops: {} }]"
    const found = recordText(text).map((one) => (one.kind === 'recorded' ? one.test.name : `${one.name} ${one.reason}`))
    expect(found).toSay('recorded-and-refused')
  })

  test.each(['', 'tests = []', 'tests = 5'])('without a test is refused whole: %s', (text) => {
    expect(recordText(text)).toEqual([{ kind: 'refused', name: '(the whole file)', reason: 'has no tests' }])
  })

  test('that reads from a server, or cannot be read as JavaScript, is refused whole', () => {
    expect(() => recordText('if (db.version() > "4") tests = []')).toThrow('db.version()')
    expect(() => recordText('tests = [')).toThrow('Unexpected end of input')
    expect(() => recordText('load("../../outside.js")')).toSay('recorded-load-outside', { file: '../../outside.js' })
  })
})

const inserting = (count: number) =>
  `{ name: 'T', pre: function (c) { for (var i = 0; i < ${count}; i++) { c.insert({}); c.drop() } }, ops: [] }`

test('a test may make documents and writes of half of the memory, whatever becomes of them', () => {
  const reasons = [1000, 2000].map((count) => recordText(`tests = [${inserting(count)}]`, { memoryMB: 1 })[0])
  expect(reasons).toMatchObject([
    { kind: 'recorded' },
    { kind: 'refused', reason: expect.toSay('recorded-memory-used', { most: 1 }) },
  ])
})

test('tests that are recorded already are left out', () => {
  const text = "tests = ['A', 'B', 'C'].map(function (name) { return { name: name, ops: [] } })"
  expect(recordText(text, { from: 2 })).toMatchObject([{ test: { name: 'C' } }])
})

test.each([
  ['collection.findOne()', 'uses collection.findOne()'],
  ['collection.find({}).itcount()', 'uses collection.find()'],
  ['if (collection.count() > 0) collection.insert({})', 'uses collection.count()'],
  ['try { collection.stats() } catch (error) { collection.insert({}) }', 'uses collection.stats()'],
  ['try { collection.insert({ a: undefined }) } catch (error) {}', 'uses a value of the type undefined'],
  ['collection.insert({}).nInserted', 'uses the reply of collection.insert() (nInserted)'],
  ['assert.eq(collection.getDB().runCommand({ drop: "x" }).nIndexes, 1)', 'uses the reply of db.runCommand (nIndexes)'],
  ['collection.getDB().runCommand({ collMod: "x" })', 'uses the command collMod'],
  ['collection.getDB().runCommand("ping")', 'uses the command ping'],
  ['db.getSiblingDB("other").things.insert({})', 'uses another database: db.getSiblingDB(other)'],
  ['sh.shardCollection("test0.T0", { _id: 1 })', 'uses sh.shardCollection'],
  ['new Mongo("localhost")', 'uses new Mongo()'],
  ['collection.insert({ a: collection })', 'uses a value of the type collection'],
  ['collection.insert({ a: undefined })', 'uses a value of the type undefined'],
  ['collection.insert({ $date: "2020-01-01T00:00:00Z" })', 'uses a document whose only field is $date'],
  ['var a = {}; a.a = a; collection.insert(a)', 'uses a value that is nested deeper than 180 levels'],
  ['return Promise.resolve(1)', 'uses an asynchronous function'],
  ['assert.eq(1, 2, "not the same")', 'throws assert.eq failed: not the same'],
  ['collection.insert({ _id: 1 }); collection.insertOne({ _id: 1 })', 'uses an insert of an _id that is there already'],
  ['collection.insert([{ _id: 1 }, { _id: 1 }])', 'uses an insert of an _id that is there already'],
  ['throw "a text"', 'throws a text'],
  ['process.exit(1)', 'throws process is not defined'],
  ['require("fs")', 'throws require is not defined'],
  ['new Function("return process")()', 'throws Code generation from strings disallowed for this context'],
])('%s is refused by name', (body, reason) => {
  expect(refusalOf(body)).toBe(reason)
})
