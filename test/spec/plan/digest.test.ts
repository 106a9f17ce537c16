import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../../src/core/json.ts'
import { placeKey, Stream } from '../../../src/core/random.ts'
import { type Call, type Outcome } from '../../../src/load/engines/engine.ts'
import { plansOf } from '../../fakes/a-plan.ts'
import { aPhase, oneRow } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { okOutcome } from '../../fakes/fake-calls.ts'
import { runHere } from '../../fakes/run-here.ts'
import { stillClock } from '../../fakes/still-clock.ts'

const mix = (workers: number, warmup: object | null = null): JsonObject =>
  aPhase({
    name: 'mix',
    load: { kind: 'closed', workers },
    warmup,
    stopAfter: { operations: 500 },
    operations: [
      { kind: 'findOne', weight: 3, filter: { _id: { '@key': { distribution: 'zipfian' } } } },
      { kind: 'insertMany', documentsPerCall: 7 },
      {
        kind: 'updateOne',
        filter: { _id: { '@key': { distribution: 'sequential' } } },
        update: { $set: { n: { '@int': {} } } },
      },
    ],
  })

/** Runs a phase with an engine that answers in random order. */
async function run(phase: JsonObject, { seed = 42, order = 0 }: { seed?: number; order?: number } = {}) {
  const { plans, dataSets } = plansOf(oneRow({ seed, phases: [phase] }))
  const { engine, sent } = shufflingEngine(order)
  let warmUps = 0
  const result = await runHere({
    phase: plans[0] ?? fail('no phase'),
    dataSets,
    engine,
    clock: stillClock(),
    onStart: () => void (warmUps = sent.length),
  })
  return { ...result, measured: sent.slice(warmUps), sent }
}

/** Holds calls back and answers them in an order of its own. */
function shufflingEngine(order: number) {
  const stream = new Stream(placeKey(order, 'answers')).at(0)
  const waiting: (() => void)[] = []
  const sent: Call[] = []
  let isDue = false
  const answerAll = (): void => {
    isDue = false
    while (waiting.length > 0) waiting.splice(stream.below(waiting.length), 1)[0]?.()
  }
  const engine = {
    warmUp: async () => {},
    close: async () => {},
    send(call: Call, done: (outcome: Outcome) => void) {
      sent.push(call)
      waiting.push(() => done(okOutcome()))
      if (!isDue) setImmediate(answerAll)
      isDue = true
    },
  }
  return { engine, sent }
}

const asText = ({ operation, args, steps = [] }: Call): string =>
  JSON.stringify([operation, args, steps.map((step) => step([])?.args)], (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )

const idsAsked = (calls: readonly Call[]): unknown[] =>
  calls.filter(({ operation }) => operation === 0).map(({ args }) => (args.filter as Record<'_id', number>)['_id'])

const rowsInserted = (calls: readonly Call[]): number[] =>
  calls
    .filter(({ operation }) => operation === 1)
    .flatMap(({ args }) => (args.documents as { _id: number }[]).map(({ _id }) => _id))

const mixOfSteps = (count: number, warmup: object | null = null): JsonObject => ({
  ...mix(count, warmup),
  operations: [
    { kind: 'insertOne' },
    {
      kind: 'steps',
      weight: 3,
      let: {
        row: { '@choice': { values: [{ '@nextRow': {} }, { '@pickRow': { distribution: 'hotspot' } }] } },
        next: { '@add': [{ '@var': 'row' }, 1] },
      },
      steps: [
        { kind: 'findOne', filter: { _id: { '@var': 'row' }, n: { '@var': 'next' } } },
        { kind: 'insertOne', name: 'second', document: { '@document': { row: { '@var': 'row' } } } },
      ],
    },
  ],
})

const stamped = (workers: number): JsonObject => ({
  ...mix(workers),
  operations: [{ kind: 'insertOne', document: { at: { '@now': {} }, by: { '@worker': {} } } }],
})

const workersOf = (calls: readonly Call[]) => calls.map(({ args }) => (args.document as { by: number }).by)

describe('what is sent does not depend on who sends it and when', () => {
  test.each([1, 7, 64])('%i workers send the same calls, and have the same digest', async (workers) => {
    const alone = await run(mix(1))
    const together = await run(mix(workers), { order: workers })
    expect(together.digest).toBe(alone.digest)
    expect(together.sent.map(asText).toSorted()).toEqual(alone.sent.map(asText).toSorted())
  })

  test.each([1, 7, 64])('%i workers send the same steps, and have the same digest', async (workers) => {
    const alone = await run(mixOfSteps(1))
    const together = await run(mixOfSteps(workers), { order: workers })
    expect(together.digest).toBe(alone.digest)
    expect(together.sent.map(asText).toSorted()).toEqual(alone.sent.map(asText).toSorted())
    expect((await run(mixOfSteps(workers, { operations: 50 }))).digest).toBe(alone.digest)
  })

  test('the order of the answers changes nothing', async () => {
    const digests = await Promise.all([1, 2, 3].map(async (order) => (await run(mix(7), { order })).digest))
    expect(new Set(digests).size).toBe(1)
  })

  test('another seed sends other calls, and has another digest', async () => {
    const [one, other] = [await run(mix(1)), await run(mix(1), { seed: 43 })]
    expect(other.digest).not.toBe(one.digest)
    expect(idsAsked(other.measured)).not.toEqual(idsAsked(one.measured))
  })

  test('the time at which calls are built is no part of the digest, and what worker they are of is', async () => {
    const [one, again, other] = [await run(stamped(3)), await run(stamped(3), { order: 3 }), await run(stamped(5))]
    expect(again.digest).toBe(one.digest)
    expect(other.digest).not.toBe(one.digest)
    expect(workersOf(one.sent).toSorted()).toEqual(workersOf(again.sent).toSorted())
    expect(new Set(workersOf(other.sent))).toEqual(new Set([0, 1, 2, 3, 4]))
  })

  test('inserts alone have another digest under another seed too', async () => {
    const inserts = mix(1, null)
    const only = { ...inserts, operations: [{ kind: 'insertMany', documentsPerCall: 7 }] }
    expect((await run(only, { seed: 43 })).digest).not.toBe((await run(only)).digest)
  })
})

describe('a warm-up of another length', () => {
  const lengths = [null, { operations: 1 }, { operations: 100 }, { operations: 101 }]

  test('changes neither the digest of what is measured nor the documents that it asks for', async () => {
    const runs = await Promise.all(lengths.map((warmup) => run(mix(3, warmup))))
    expect(new Set(runs.map(({ digest }) => digest)).size).toBe(1)
    expect(new Set(runs.map(({ measured }) => JSON.stringify(idsAsked(measured).toSorted()))).size).toBe(1)
  })

  test('leaves no row to be inserted twice', async () => {
    const { sent } = await run(mix(5, { operations: 100 }))
    const rows = rowsInserted(sent)
    expect(new Set(rows).size).toBe(rows.length)
    expect(Math.min(...rows)).toBe(10)
  })

  test('draws from another stream', async () => {
    const { sent, measured } = await run(mix(1, { operations: 500 }))
    expect(idsAsked(sent.slice(0, 500))).not.toEqual(idsAsked(measured))
  })
})

const inserts = (documents: number, documentsPerCall: number, workers: number) =>
  aPhase({
    load: { kind: 'closed', workers },
    stopAfter: { documents },
    operations: [{ kind: 'insertMany', documentsPerCall }],
  })

describe('a budget of documents', () => {
  test.each([
    [1000, 1, 7],
    [1000, 7, 7],
    [1000, 1000, 7],
    [10, 64, 7],
    [1, 1, 64],
  ])('of %i is used up exactly, with calls of %i and %i workers', async (documents, perCall, workers) => {
    const { sent } = await run(inserts(documents, perCall, workers))
    const sizes = sent.map(({ args }) => args.documents?.length ?? 0)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(documents)
    expect(sizes.filter((size) => size !== perCall).length).toBeLessThanOrEqual(1)
  })

  test('makes the last find ask for what is left', async () => {
    const finds = aPhase({ stopAfter: { documents: 25 }, operations: [{ kind: 'find', limit: 10 }] })
    const { sent } = await run(finds)
    expect(sent.map(({ args }) => args.options['limit'])).toEqual([10, 10, 5])
  })
})
