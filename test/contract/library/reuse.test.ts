import { type Db } from 'mongodb'
import { expect, inject, test } from 'vitest'
import { run, type RunEvent, type SpecInput } from '../../../src/entries/index.ts'
import { type VariantResult } from '../../../src/results/schema.ts'
import { startGate } from '../support/gate.ts'
import { sharedServer } from '../support/shared-servers.ts'

const server = sharedServer()

const databaseOf = (name: string): Db => server.client.db(`mongoperf_${name.replaceAll('-', '_')}`)

/** What is in a collection, and how it is set up. */
async function look(db: Db, collection: string) {
  const { collections } = await db.command({ dbHash: 1, collections: [collection] })
  const indexes = await db.collection(collection).indexes()
  const [found] = await db.listCollections({ name: collection }).toArray()
  const { validator = {}, capped = false } = (found as { options?: Record<string, unknown> }).options ?? {}
  return {
    hash: collections[collection] as string,
    validator,
    capped,
    indexes: indexes.map(({ name }) => String(name)).toSorted(),
  }
}
type Looked = Awaited<ReturnType<typeof look>>

/** Runs a spec, and looks at a collection whenever it is ready for the phases of a row. */
async function runAndLook(
  spec: SpecInput & { readonly name: string },
  collection = 'items',
): Promise<{ readonly variants: readonly VariantResult[]; readonly looks: readonly Looked[] }> {
  const looks: Promise<Looked>[] = []
  await using gate = await startGate(server.uri)
  const onProgress = (event: RunEvent): void => {
    if (event.kind !== 'loaded' || event.data.collection !== collection) return
    // Between the load and the first call: nothing of the run gets to the server meanwhile.
    gate.shut()
    looks.push(look(databaseOf(spec.name), collection).finally(gate.open))
  }
  const { variants } = await run(spec, { uri: gate.uri, onProgress })
  return { variants, looks: await Promise.all(looks) }
}

const sources = (variants: readonly VariantResult[], set = 0): readonly (string | undefined)[] =>
  variants.map(({ data }) => data[set]?.source)

const read = {
  name: 'read',
  stopAfter: { operations: 20 },
  operations: [{ kind: 'findOne', collection: 'items', filter: { _id: 3 } }],
}
const write = {
  name: 'write',
  when: { '@param': 'writes' },
  warmup: { operations: 3 },
  stopAfter: { operations: 15 },
  operations: [
    { kind: 'insertOne', collection: 'items' },
    { kind: 'updateOne', collection: 'items', filter: { _id: { '@key': {} } }, update: { $inc: { n: 1 } } },
    { kind: 'deleteOne', collection: 'items', filter: { _id: { '@key': {} } } },
  ],
}
const items = {
  collection: 'items',
  rows: 800,
  reuse: true,
  let: { half: { '@int': { min: 0, max: 50 } } },
  document: {
    _id: { '@row': {} },
    n: { '@var': 'half' },
    text: { '@string': { length: 40 } },
    d: { $numberDouble: '2' },
  },
}

const sixRows = (reuse: boolean) =>
  ({
    name: reuse ? 'reused' : 'loaded',
    parameters: { writes: false, indexes: [], validator: {} },
    variants: [
      { label: 'first' },
      { label: 'index', indexes: [{ key: { n: 1 } }] },
      {
        label: 'writes',
        indexes: [{ key: { n: 1 }, unique: false, name: 'other' }, { key: { text: 1 } }],
        writes: true,
      },
      { label: 'validator, writes', validator: { n: { $gte: 0 } }, writes: true },
      { label: 'validator, reads', validator: { n: { $gte: 0 } }, indexes: [{ key: { text: -1 } }] },
      {
        label: 'last',
        indexes: [{ key: { text: -1 }, partialFilterExpression: { n: { $gt: { $numberInt: '5' } } } }],
      },
    ],
    data: {
      ...items,
      reuse,
      indexes: { '@param': 'indexes' },
      options: { validator: { '@param': 'validator' } },
    },
    phases: [write, read],
  }) as SpecInput & { name: string }

test('rows that nobody wrote to are kept, those that a phase wrote to are copied, and both are what a load makes', async () => {
  const reused = await runAndLook(sixRows(true))
  const loaded = await runAndLook(sixRows(false))
  expect(sources(reused.variants)).toEqual(['generated', 'kept', 'kept', 'copied', 'copied', 'kept'])
  expect(sources(loaded.variants)).toEqual(Array.from({ length: 6 }, () => 'generated'))
  expect(reused.looks).toEqual(loaded.looks)
  expect(new Set(reused.looks.map(({ hash }) => hash)).size).toBe(1)
  expect(reused.looks.map(({ indexes }) => indexes.length)).toEqual([1, 2, 3, 1, 2, 2])
  const digests = ({ variants }: typeof reused) => variants.map(({ phases }) => phases.map(({ digest }) => digest))
  expect(digests(reused)).toEqual(digests(loaded))
  // The writes were there: otherwise nothing had to be copied.
  expect(reused.variants[2]?.phases[0]?.operations.map(({ failed }) => failed)).toEqual([0, 0, 0])
  expect(reused.variants.map(({ data }) => data[0]?.rows)).toEqual(Array.from({ length: 6 }, () => 800))
  const names = await databaseOf('reused').listCollections({}, { nameOnly: true }).toArray()
  expect(names.map(({ name }) => name).filter((name) => name.includes('pristine'))).toEqual([])
}, 300_000)

test('rows that only updates have changed are kept as they are where the spec takes them so', async () => {
  const update = {
    name: 'update',
    when: { '@param': 'updates' },
    stopAfter: { operations: 5 },
    operations: [
      { kind: 'updateOne', collection: 'items', filter: { _id: { '@key': {} } }, update: { $inc: { n: 1 } } },
    ],
  }
  const { variants, looks } = await runAndLook({
    name: 'changed',
    parameters: { updates: false, inserts: false },
    variants: [
      { label: 'updates', updates: true },
      { label: 'reads' },
      { label: 'updates again', updates: true },
      { label: 'inserts', inserts: true },
      { label: 'reads again' },
    ],
    data: { ...items, reuse: 'changed' },
    phases: [
      update,
      {
        name: 'insert',
        when: { '@param': 'inserts' },
        stopAfter: { operations: 1 },
        operations: [{ kind: 'insertOne', collection: 'items' }],
      },
      read,
    ],
  } as SpecInput & { name: string })
  // What inserts have added has to go: the last row finds a copy only if one could be made, which changed rows are not.
  expect(sources(variants)).toEqual(['generated', 'changed', 'changed', 'changed', 'generated'])
  const [first, second, third, fourth, last] = looks.map(({ hash }) => hash)
  expect(second).not.toBe(first)
  expect(third).toBe(second)
  expect(fourth).not.toBe(third)
  expect(last).toBe(first)
})

test('a set-up phase writes too, and other collections have nothing to do with it', async () => {
  const { variants } = await runAndLook({
    name: 'two-sets',
    variants: [{ label: 'a' }, { label: 'b' }, { label: 'c' }],
    data: [items, { ...items, collection: 'others' }, { ...items, collection: 'plain', reuse: false }],
    phases: [
      {
        name: 'change',
        measured: false,
        stopAfter: { operations: 1 },
        operations: [{ kind: 'updateOne', collection: 'others', update: { $set: { n: -1 } } }],
      },
      read,
    ],
  } as SpecInput & { name: string })
  expect(sources(variants)).toEqual(['generated', 'kept', 'kept'])
  expect(sources(variants, 1)).toEqual(['generated', 'copied', 'copied'])
  expect(sources(variants, 2)).toEqual(['generated', 'generated', 'generated'])
})

test('rows of other documents are loaded, also between rows that would share them', async () => {
  const { variants, looks } = await runAndLook({
    name: 'others-between',
    variants: { size: [10, 20, 10] },
    data: { ...items, document: { _id: { '@row': {} }, text: { '@string': { length: { '@param': 'size' } } } } },
    phases: [read],
  } as SpecInput & { name: string })
  expect(sources(variants)).toEqual(['generated', 'generated', 'generated'])
  expect(looks[0]?.hash).toBe(looks[2]?.hash)
  expect(looks[0]?.hash).not.toBe(looks[1]?.hash)
})

test('a capped collection keeps its kind and its order: it is kept, but never copied', async () => {
  const { variants, looks } = await runAndLook({
    name: 'capped',
    parameters: { writes: false },
    variants: [{ label: 'a' }, { label: 'b', writes: true }, { label: 'c' }],
    data: { ...items, options: { capped: true, size: 1_000_000, max: 300 } },
    phases: [{ ...write, operations: [{ kind: 'insertOne' }] }, read],
  } as SpecInput & { name: string })
  expect(sources(variants)).toEqual(['generated', 'kept', 'generated'])
  expect(looks.map(({ capped }) => capped)).toEqual([true, true, true])
  expect(new Set(looks.map(({ hash }) => hash)).size).toBe(1)
  const left = await databaseOf('capped').collection('items').find().toArray()
  expect(left.map(({ _id }) => Number(_id))).toEqual(Array.from({ length: 300 }, (_, i) => 500 + i))
})

test('shuffled repeats find the rows that each of them asks for', async () => {
  const { variants, looks } = await runAndLook({
    name: 'shuffled',
    repeat: { times: 3 },
    parameters: { writes: false },
    variants: [{ label: 'reads' }, { label: 'writes', writes: true }, { label: 'index and writes', writes: true }],
    data: items,
    phases: [write, read],
  } as SpecInput & { name: string })
  expect(variants).toHaveLength(9)
  expect(new Set(looks.map(({ hash }) => hash)).size).toBe(1)
  expect(sources(variants).filter((source) => source === 'generated')).toHaveLength(1)
  expect(sources(variants)).toContain('copied')
})

test('a fresh server keeps nothing', async () => {
  const { variants } = await run(
    {
      name: 'fresh',
      target: { kind: 'standalone', fresh: true },
      variants: [{ label: 'a' }, { label: 'b' }],
      data: items,
      phases: [read],
    } as SpecInput,
    { mongod: inject('mongodPath') },
  )
  expect(sources(variants)).toEqual(['generated', 'generated'])
})
