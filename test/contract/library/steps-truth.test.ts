import { Binary, BSON, Decimal128, Double, Long, ObjectId, Timestamp } from 'mongodb'
import { expect, test } from 'vitest'
import { type Phase, run, type SpecInput } from '../../../src/entries/index.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { type Step } from '../../../src/spec/spec-input.ts'
import { fail } from '../../fakes/fail.ts'
import { sharedServer } from '../support/shared-servers.ts'
import { startWireTap } from '../support/wire-tap.ts'

const { EJSON } = BSON

const server = sharedServer()

const items = (name: string) => server.client.db(`mongoperf_${name}`).collection<{ _id: number; n: number }>('items')

async function phaseOf(spec: SpecInput): Promise<PhaseResult> {
  const { variants } = await run(spec, { uri: server.uri })
  return variants[0]?.phases[0] ?? fail('no phase')
}

const data = { collection: 'items', rows: 100, document: { _id: { '@row': {} }, n: 0 } }

/** Makes some calls of an operation of steps. */
const phaseOfSteps = (name: string, operations: number, steps: readonly Step[], phase: Partial<Phase> = {}) =>
  phaseOf({
    name,
    data,
    phases: [{ name: 'go', stopAfter: { operations }, operations: [{ kind: 'steps', steps }], ...phase }],
  })

/** Change a document, or insert it when it is not there: two calls, the second only when the first found nothing. */
const changeOrInsert = (name: string, workers: number) => {
  const row = { '@choice': { weights: [1, 3], values: [{ '@nextRow': {} }, { '@pickRow': { count: 100 } }] } }
  const steps: Step[] = [
    { kind: 'updateOne', name: 'change', filter: { _id: { '@var': 'row' } }, update: { $inc: { n: 1 } } },
    {
      kind: 'insertOne',
      name: 'insert',
      when: { '@eq': [{ '@var': 'change.matched' }, 0] },
      document: { '@document': { row: { '@var': 'row' } } },
    },
  ]
  return phaseOfSteps(name, 400, [], {
    load: { kind: 'closed', workers },
    operations: [{ kind: 'steps', let: { row }, steps }],
  })
}

test('steps see the replies of the steps before them, and are counted, skipped and timed apart', async () => {
  const { operations } = await changeOrInsert('steps', 7)
  const [both] = operations
  const [change, insert] = both?.steps ?? []
  const inserted = (await items('steps').countDocuments()) - 100
  const [sum] = await items('steps')
    .aggregate<{ n: number }>([{ $group: { _id: null, n: { $sum: '$n' } } }])
    .toArray()
  expect(inserted).toBeGreaterThan(50)
  expect(both).toMatchObject({ ok: 400, failed: 0, inserted, modified: 400 - inserted, documents: 400 })
  expect(change).toMatchObject({ ok: 400, skipped: 0, matched: 400 - inserted, modified: 400 - inserted })
  expect(insert).toMatchObject({ ok: inserted, skipped: 400 - inserted, inserted })
  expect(sum?.n).toBe(400 - inserted)
  expect(insert?.bytes).toBe(inserted * 21)
  expect(both?.latency.ok?.meanMs).toBeGreaterThan(change?.latency.ok?.meanMs ?? Infinity)
})

/** A phase that reads a document by some method and stores it in another one. */
const carry = (name: string, read: Step): Phase => ({
  name,
  stopAfter: { operations: 1 },
  operations: [
    {
      kind: 'steps',
      name: `${name}Steps`,
      steps: [
        { ...read, name: 'read' },
        {
          kind: 'updateOne',
          filter: { _id: name },
          upsert: true,
          when: { '@eq': [{ '@var': 'read.document._id' }, { $oid: '0123456789abcdef01234567' }] },
          update: { $set: { copy: { '@var': 'read.document' } } },
        },
      ],
    },
  ],
})

test('documents that steps carry keep their types, whatever method read them', async () => {
  const odd = {
    _id: new ObjectId('0123456789abcdef01234567'),
    double: new Double(5),
    long: Long.fromString('9007199254740993'),
    small: Long.fromNumber(7),
    decimal: Decimal128.fromString('1.50'),
    at: new Timestamp({ t: 1, i: 2 }),
    nested: [{ id: new ObjectId('aaaaaaaaaaaaaaaaaaaaaaaa'), bytes: new Binary(Buffer.from('abc')) }, /x/i, null],
  }
  await run(
    {
      name: 'types',
      data: { collection: 'items' },
      phases: [
        {
          name: 'fill',
          measured: false,
          stopAfter: { operations: 1 },
          operations: [{ kind: 'insertOne', document: EJSON.serialize(odd, { relaxed: false }) }],
        },
        carry('one', { kind: 'findOne', filter: { double: 5 } }),
        carry('many', { kind: 'find', filter: { double: 5 } }),
        carry('pipeline', { kind: 'aggregate', pipeline: [{ $match: { double: 5 } }] }),
        carry('modify', {
          kind: 'findOneAndUpdate',
          filter: { double: 5 },
          update: { $set: { small: { $numberLong: '7' } } },
        }),
      ],
    },
    { uri: server.uri },
  )
  const raw = await server.client.db('mongoperf_types').collection('items').find({}, { promoteValues: false }).toArray()
  const types = (document: unknown): string => EJSON.stringify(document, { relaxed: false })
  const original = raw.find((document) => document['double'])
  expect(types(original)).toBe(types(odd))
  for (const name of ['one', 'many', 'pipeline', 'modify'])
    expect(types(raw.find(({ _id }) => String(_id) === name)?.['copy'])).toBe(types(odd))
})

test.each(['driver', 'wire'] as const)('steps that expect documents count what is missing, with %s', async (engine) => {
  const read = {
    kind: 'findOne',
    name: 'read',
    filter: { _id: { '@pickRow': { count: 10 } } },
    expectDocuments: 1,
  } as const
  const steps = [read, { ...read, name: 'none', filter: { _id: -1 } }]
  const { operations } = await phaseOfSteps(`expected-${engine}`, 20, steps, { engine })
  expect(operations[0]).toMatchObject({ ok: 20, found: 20, missing: 20 })
  expect(operations[0]?.steps).toMatchObject([
    { found: 20, missing: 0 },
    { found: 0, missing: 20 },
  ])
})

test.each(['driver', 'wire'] as const)('a step may have a write concern of its own, with %s', async (engine) => {
  await using tap = await startWireTap(server.uri)
  const step = { kind: 'updateOne', filter: { _id: 1 }, update: { $inc: { n: 1 } } } as const
  const own = { ...step, name: 'own', writeConcern: { w: 'majority', wtimeoutMS: 7000 } } as const
  const phase: Phase = {
    name: 'mixed',
    engine,
    stopAfter: { operations: 1 },
    writeConcern: { w: 1 },
    operations: [{ kind: 'steps', steps: [{ ...step, name: 'phase' }, own] }],
  }
  const { variants } = await run({ name: `concerns-${engine}`, data, phases: [phase] }, { uri: tap.uri })
  expect(variants[0]?.phases[0]?.operations[0]).toMatchObject({ ok: 1, modified: 2 })
  expect(tap.sent.flatMap(({ command }) => (command['update'] === 'items' ? [command['writeConcern']] : []))).toEqual([
    { w: { $numberInt: '1' } },
    { w: 'majority', wtimeout: { $numberInt: '7000' } },
  ])
})

test.each(['driver', 'wire'] as const)(
  'a step whose reply gives no result for a function fails with its place, with %s',
  async (engine) => {
    const steps: Step[] = [
      { kind: 'findOne', name: 'first', filter: { _id: 1 }, projection: { n: { $literal: 'text' } } },
      { kind: 'findOne', name: 'second', filter: { _id: { '@add': [{ '@var': 'first.document.n' }, 1] } } },
    ]
    const { operations } = await phaseOfSteps(`no-result-${engine}`, 5, steps, { engine })
    expect(operations[0]).toMatchObject({ ok: 0, failed: 5 })
    expect(operations[0]?.errors[0]).toMatchObject({
      code: 'spec-invalid',
      message: expect.toSay('function-without-result'),
    })
  },
)
