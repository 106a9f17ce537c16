import { type AbstractCursor, type Collection, type Db, type Document } from 'mongodb'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { run, type RunOptions, type SpecInput } from '../../../src/entries/index.ts'
import { type GuardedKey } from '../../../src/language/values/keys.ts'
import { type VariantResult } from '../../../src/results/schema.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { startWireTap } from '../support/wire-tap.ts'

/** Somebody's server, which runs JavaScript. */
const server = sharedServer()

const things = {
  collection: 'things',
  rows: 300,
  document: { _id: { '@row': {} }, n: { '@int': { min: 1, max: 10 } }, text: { '@string': { length: 20 } } },
}
const phaseOf = (operation: object, phase: object = {}) => ({
  name: 'go',
  stopAfter: { operations: 3 },
  operations: [operation],
  ...phase,
})
const specOf = (name: string, operation: object, parts: object = {}) => ({
  name,
  data: things,
  phases: [phaseOf(operation)],
  ...parts,
})

const measure = async (spec: object, options: RunOptions = {}): Promise<readonly VariantResult[]> =>
  (await run(spec as SpecInput, { uri: server.uri, ...options })).variants

/** Of a server that is started for the run: what its rows did, and how it was started. */
async function onOurs(operation: object, allow: readonly GuardedKey[], parts: object = {}) {
  const { variants } = await run(specOf('ours', operation, { allow, ...parts }) as SpecInput, {
    mongod: inject('mongodPath'),
    allow: ['$where', '$function', '$accumulator', '$out'],
  })
  return variants.map(({ commands, phases }) => ({
    commands,
    isScripting: !commands.join().includes('--noscripting'),
    ok: phases[0]?.operations[0]?.ok,
  }))
}

const databaseOf = (name: string): Db => server.client.db(`mongoperf_${name.replaceAll('-', '_')}`)

const names = async (db: Db): Promise<readonly string[]> =>
  (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).toSorted()

async function hashOf(db: Db, collection: string): Promise<string> {
  const { collections } = await db.command({ dbHash: 1, collections: [collection] })
  return collections[collection] as string
}

/** The same rows, in a database in which everything is done by hand. */
const byHand = (): Db => server.client.db('by_hand')
beforeAll(async () => {
  await measure(specOf('rows-alone', { kind: 'findOne' }))
  const copy = { $out: { db: 'by_hand', coll: 'things' } }
  await databaseOf('rows-alone').collection('things').aggregate([copy]).toArray()
})

describe('code on the server', () => {
  const filter = { $where: 'this.n > 5' }
  const body = 'function (n) { return n * 2 }'
  const doubled = [{ $set: { n: { $function: { body, args: ['$n'], lang: 'js' } } } }, { $match: { n: { $gt: 10 } } }]
  const sum = {
    init: 'function () { return 0 }',
    accumulate: 'function (sum, n) { return sum + n }',
    accumulateArgs: ['$n'],
    merge: 'function (a, b) { return a + b }',
    lang: 'js',
  }
  const summed = [{ $group: { _id: { $mod: ['$_id', 7] }, sum: { $accumulator: sum } } }]

  test.each<[GuardedKey, object, (rows: Collection) => AbstractCursor]>([
    ['$where', { kind: 'find', filter }, (rows) => rows.find(filter, { raw: true })],
    ['$function', { kind: 'aggregate', pipeline: doubled }, (rows) => rows.aggregate(doubled, { raw: true })],
    ['$accumulator', { kind: 'aggregate', pipeline: summed }, (rows) => rows.aggregate(summed, { raw: true })],
  ])('%s gives the documents that it gives by hand', async (word, operation, read) => {
    const [variant] = await measure(specOf('code', operation, { allow: [word] }), { allow: [word] })
    const documents = (await read(byHand().collection('things')).toArray()) as Uint8Array[]
    expect(documents.length).toBeGreaterThan(5)
    expect(documents.length).toBeLessThan(things.rows)
    const bytes = documents.reduce((total, { byteLength }) => total + byteLength, 0)
    expect(variant?.phases[0]?.operations[0]).toMatchObject({
      ok: 3,
      failed: 0,
      documents: 3 * documents.length,
      bytes: 3 * bytes,
    })
  })

  test.each([{ kind: 'standalone' }, { kind: 'replicaSet', members: 1 }])(
    'is run by a $kind of ours where it is allowed, by the same server in every row',
    async (target) => {
      const code = { kind: 'find', filter }
      const phases = [phaseOf(code, { stopAfter: { operations: { '@param': 'calls' } } })]
      const rows = await onOurs(code, ['$where'], { target, variants: { calls: [1, 2] }, phases })
      expect(rows).toMatchObject([
        { isScripting: true, ok: 1 },
        { isScripting: true, ok: 2 },
      ])
      // With its port.
      expect(rows[1]?.commands).toEqual(rows[0]?.commands)
    },
  )

  test('is run by no server of ours whose spec does not ask for it', async () => {
    const output = { kind: 'aggregate', pipeline: [{ $out: 'made' }] }
    expect(await onOurs({ kind: 'find' }, [])).toMatchObject([{ isScripting: false, ok: 3 }])
    expect(await onOurs(output, ['$out'])).toMatchObject([{ isScripting: false, ok: 3 }])
  })

  test('that stands in a stored document does not get into a call', async () => {
    const filters = server.client.db('shop').collection('filters')
    await filters.insertOne({ filter: { n: { $gt: 0 }, $where: 'return false' } })
    const steps = [
      { kind: 'findOne', collection: 'filters' },
      { kind: 'find', collection: 'things', filter: { '@var': 'findOne.document.filter' } },
    ]
    const sample = { '@sample': { of: 'filters', path: 'filter' } }
    const sampled = { kind: 'find', collection: 'things', filter: { $and: [sample] } }
    const [variant] = await measure({
      name: 'stored-code',
      data: [things, { existing: 'shop.filters' }],
      phases: [phaseOf({ kind: 'steps', steps }), phaseOf(sampled, { name: 'sampled' })],
    })
    const [first, second] = variant?.phases.map(({ operations }) => operations[0]) ?? []
    expect(first?.steps[1]).toMatchObject({ ok: 3, documents: 3 * things.rows })
    expect(second).toMatchObject({ ok: 3, documents: 3 * things.rows })
  })
})

const totals = { $group: { _id: '$n', count: { $sum: 1 } } }

describe('an output', () => {
  test.each<[string, GuardedKey, readonly Document[], string]>([
    ['a new collection', '$out', [totals, { $out: 'totals' }], 'totals'],
    ['a new collection', '$merge', [totals, { $merge: { into: 'totals', whenMatched: 'replace' } }], 'totals'],
    ['a data set', '$out', [{ $match: { n: 3 } }, { $out: 'things' }], 'things'],
    ['a data set', '$merge', [{ $match: { n: 3 } }, { $set: { n: 30 } }, { $merge: 'things' }], 'things'],
  ])('to %s by %s leaves what it leaves by hand', async (_where, word, pipeline, collection) => {
    const [variant] = await measure(specOf('made', { kind: 'aggregate', pipeline }, { allow: [word] }), {
      allow: [word],
    })
    expect(variant?.phases[0]?.operations[0]).toMatchObject({ ok: 3, failed: 0, documents: null, bytes: null })
    const hand = server.client.db('by_hand_again')
    await hand.dropDatabase()
    const copy = { $out: { db: 'by_hand_again', coll: 'things' } }
    await byHand().collection('things').aggregate([copy]).toArray()
    await hand
      .collection('things')
      .aggregate([...pipeline])
      .toArray()
    expect(await hashOf(databaseOf('made'), collection)).toBe(await hashOf(hand, collection))
    expect(await databaseOf('made').collection(collection).countDocuments()).toBeGreaterThan(5)
  })

  test('is ours: the next row and the next run begin without it', async () => {
    const pipeline = [{ $match: { n: { $gte: { '@param': 'least' } } } }, totals, { $merge: 'totals' }]
    const phases = [phaseOf({ kind: 'aggregate', pipeline })]
    const spec = { ...specOf('rows', {}, { allow: ['$merge'] }), variants: { least: [1, 9] }, phases }
    for (const attempt of ['first', 'second']) {
      await measure(spec, { allow: ['$merge'] })
      expect([attempt, await databaseOf('rows').collection('totals').distinct('_id')]).toEqual([attempt, [9, 10]])
    }
  })

  test('to a collection that keeps its rows has the next row copy them', async () => {
    const replace = { kind: 'aggregate', pipeline: [{ $match: { n: 3 } }, { $out: 'things' }] }
    const phases = [phaseOf(replace, { stopAfter: { operations: { '@param': 'calls' } } })]
    const kept = { data: { ...things, reuse: true }, variants: { calls: [1, 2, 3] }, phases }
    const variants = await measure({ ...specOf('kept', {}, { allow: ['$out'] }), ...kept }, { allow: ['$out'] })
    expect(variants.map(({ data }) => [data[0]?.source, data[0]?.rows])).toEqual([
      ['generated', things.rows],
      ['copied', things.rows],
      ['copied', things.rows],
    ])
  })

  test('says what is to be acknowledged and read', async () => {
    await using tap = await startWireTap(server.uri)
    const concerns = { writeConcern: { w: 1, j: true }, readConcern: { level: 'majority' } }
    const phases = [phaseOf({ kind: 'aggregate', pipeline: [{ $out: 'made' }] }, concerns)]
    await measure({ ...specOf('wire', {}, { allow: ['$out'] }), phases }, { uri: tap.uri, allow: ['$out'] })
    const sent = tap.sent.map(({ command }) => command).filter((command) => 'aggregate' in command)
    const outputs = sent.filter(({ pipeline }) => '$out' in (pipeline as Document[])[0]!)
    expect(outputs).toHaveLength(3)
    for (const output of outputs) {
      expect(output).toMatchObject({
        writeConcern: { w: { $numberInt: '1' }, j: true },
        readConcern: { level: 'majority' },
      })
    }
  })

  test('of a collection that is there goes to a database of ours, and leaves it alone', async () => {
    const orders = server.client.db('shop').collection('orders')
    await orders.insertMany([{ n: 1 }, { n: 1 }, { n: 2 }])
    const before = await hashOf(server.client.db('shop'), 'orders')
    const pipeline = [totals, { $out: { db: 'mongoperf_looked_at', coll: 'totals' } }]
    const spec = specOf('looked-at', { kind: 'aggregate', pipeline }, { allow: ['$out'] })
    const [variant] = await measure({ ...spec, data: { existing: 'shop.orders' } }, { allow: ['$out'] })
    expect(variant?.phases[0]?.operations[0]).toMatchObject({ ok: 3, failed: 0 })
    expect(await databaseOf('looked-at').collection('totals').countDocuments()).toBe(2)
    expect(await hashOf(server.client.db('shop'), 'orders')).toBe(before)
  })

  test('to a collection that is not ours is refused before anything runs', async () => {
    const foreign = server.client.db('warehouse').collection<{ _id: number }>('stock')
    await foreign.insertOne({ _id: 1 })
    const into = { db: 'warehouse', coll: 'stock' }
    for (const [stage, value, at] of [
      ['$out', into, '42:23'],
      ['$merge', { into }, '42:25'],
    ] as const) {
      const allow = [stage]
      const spec = specOf('elsewhere', { kind: 'aggregate', pipeline: [totals, { [stage]: value }] }, { allow })
      const measuring = measure(spec, { allow, allowWrites: ['warehouse.stocks'] })
      await expect(measuring).rejects.toSay('stage-writes-elsewhere', { stage, at, namespace: 'warehouse.stock' })
    }
    expect(await foreign.find().toArray()).toEqual([{ _id: 1 }])
    expect(await names(databaseOf('elsewhere'))).toEqual([])

    const pipeline = [totals, { $merge: { into } }]
    const spec = specOf('elsewhere', { kind: 'aggregate', pipeline }, { allow: ['$merge'] })
    await measure(spec, { allow: ['$merge'], allowWrites: ['warehouse.stock'] })
    expect(await foreign.countDocuments()).toBe(10)
  })

  test('to a collection that somebody else put into our database is refused before anything runs', async () => {
    await measure(specOf('shared', { kind: 'findOne' }))
    const database = databaseOf('shared')
    await database.collection('things').updateMany({}, { $set: { n: 0 } })
    await database.collection<{ _id: number }>('notes').insertOne({ _id: 1 })
    const write = phaseOf({ kind: 'aggregate', pipeline: [{ $out: 'notes' }] }, { name: 'write' })
    const spec = { ...specOf('shared', {}, { allow: ['$out'] }), phases: [phaseOf({ kind: 'deleteOne' }), write] }
    await expect(measure(spec, { allow: ['$out'] })).rejects.toSay('collection-not-made-by-us', {
      namespace: 'mongoperf_shared.notes',
    })
    expect(await database.collection('notes').find().toArray()).toEqual([{ _id: 1 }])
    expect(await names(database)).not.toContain('things')
  })
})
