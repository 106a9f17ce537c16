import { serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { type PendingCall } from '../../../src/load/engines/deadlines.ts'
import { type Call, emptyReply, type Outcome, type Reply } from '../../../src/load/engines/engine.ts'
import { type NamedArguments, noArguments } from '../../../src/load/engines/intent.ts'
import { runSteps } from '../../../src/load/engines/run-steps.ts'
import { type CallSource } from '../../../src/load/plan/plan.ts'
import { aPlan } from '../../fakes/a-plan.ts'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'
import { fail } from '../../fakes/fail.ts'
import { failedOutcome, okOutcome, unknownOutcome } from '../../fakes/fake-calls.ts'
import { fakeClock } from '../../fakes/fake-clock.ts'

const planOf = (operation: JsonObject, parts: JsonObject = {}) =>
  aPlan({ phases: [aPhase({ operations: [operation] })], ...parts })

const callsOf = (operation: JsonObject): CallSource => planOf(operation).calls('measured')

const steps = (list: readonly JsonObject[], given: JsonObject = {}): JsonObject => ({
  kind: 'steps',
  name: 'both',
  steps: list as Json,
  ...(Object.keys(given).length > 0 && { let: given }),
})

/** What each step sends, when the steps before it are answered so. Null: it is skipped. */
function sent(call: Call, replies: readonly Partial<Reply>[] = []): readonly (NamedArguments | null)[] {
  const all = (call.steps ?? []).map((_, i) => okOutcome(replies[i] ?? {}).reply)
  return (call.steps ?? []).map((step, i) => step(all.slice(0, i))?.args ?? null)
}

const idOf = (document: unknown): number => (document as Record<'_id', number>)['_id']

const insertWhen = (when: JsonObject): JsonObject => ({ kind: 'insertOne', name: 'insert', when, document: { a: 1 } })

const drawn: JsonObject = { '@int': { min: 0, max: 1_000_000 } }

describe('let', () => {
  test('is made once per call and read in several places', () => {
    const find = { kind: 'findOne', let: { a: drawn }, filter: { a: { '@var': 'a' }, b: { '@var': 'a' } } }
    const calls = callsOf(find)
    const filters = Array.from({ length: 20 }, () => calls.next().args.filter as { a: number; b: number })
    for (const { a, b } of filters) expect(b).toBe(a)
    expect(new Set(filters.map(({ a }) => a)).size).toBeGreaterThan(15)
  })

  test('sees the names before it, and not those after it', () => {
    const good = {
      kind: 'findOne',
      let: { a: drawn, b: { '@add': [{ '@var': 'a' }, 1] } },
      filter: { b: { '@var': 'b' } },
    }
    expect(callsOf(good).next().args.filter).toEqual({ b: expect.any(Number) })
    expect(
      problemsOf({
        phases: [
          aPhase({
            operations: [{ kind: 'findOne', let: { b: { '@var': 'a' }, a: 1 }, filter: { b: { '@var': 'b' } } }],
          }),
        ],
      }),
    ).toSay('spec-let-later-name')
  })

  test('is sent to the server where its expressions read it, and only then', () => {
    const both = { kind: 'find', let: { a: 1, b: 2 }, filter: { x: { '@var': 'b' }, $expr: { $eq: ['$y', '$$a'] } } }
    expect(callsOf(both).next().args).toEqual({
      filter: { x: 2, $expr: { $eq: ['$y', '$$a'] } },
      options: { let: { a: 1 } },
    })
    const ours = { kind: 'find', let: { b: 2 }, filter: { x: { '@var': 'b' } } }
    expect(callsOf(ours).next().args).toEqual({ filter: { x: 2 }, options: {} })
  })

  test('of steps is sent with each step whose expressions read it', () => {
    const expr = { $expr: { $eq: ['$n', '$$a.b'] } }
    const list = [
      { kind: 'findOne', name: 'one', filter: expr },
      { kind: 'findOne', name: 'two', filter: { n: 1 } },
    ]
    expect(sent(callsOf(steps(list, { a: { b: 3 } })).next())).toEqual([
      { filter: expr, options: { let: { a: { b: 3 } } } },
      { filter: { n: 1 }, options: {} },
    ])
  })

  test('of a data set is made per row, also for keys and for documents of rows', () => {
    const data = {
      collection: 'things',
      rows: 50,
      let: { n: { '@multiply': [{ '@row': {} }, 10] } },
      document: { _id: { '@var': 'n' }, same: { '@var': 'n' } },
    }
    const plan = planOf(
      { kind: 'findOne', filter: { _id: { '@key': { row: 7 } }, d: { '@document': { row: 3 } } } },
      { data },
    )
    expect(plan.calls('measured').next().args.filter).toEqual({ _id: 70, d: { _id: 30, same: 30 } })
  })
})

describe('steps', () => {
  const read: JsonObject = { kind: 'findOne', name: 'read', filter: { _id: { '@var': 'row' } } }
  const write: JsonObject = {
    kind: 'updateOne',
    name: 'write',
    filter: { _id: { '@var': 'read.document._id' } },
    update: { $set: { seen: { '@var': 'read.document.n' } } },
  }

  test('read the replies of the steps before them', () => {
    const call = callsOf(steps([read, write], { row: 5 })).next()
    expect(sent(call, [{ documents: 1, document: serialize({ _id: 5, n: 'five' }) }])).toEqual([
      { filter: { _id: 5 }, options: {} },
      { filter: { _id: 5 }, update: { $set: { seen: 'five' } }, options: {} },
    ])
  })

  test('keep to their own call while others are made', () => {
    const calls = callsOf(
      steps([read, { ...write, filter: { row: { '@var': 'row' }, n: { '@var': 'read.matched' } } }], { row: drawn }),
    )
    const first = calls.next()
    const [before] = sent(first)
    for (let i = 0; i < 10; i++) calls.next()
    const [, after] = sent(first, [{ matched: 2 }])
    expect(after?.filter).toEqual({ row: idOf(before?.filter), n: 2 })
  })

  test('are skipped by a condition on what is drawn, on a parameter, or on a reply', () => {
    const onReply = callsOf(steps([read, insertWhen({ '@eq': [{ '@var': 'read.documents' }, 0] })], { row: 1 })).next()
    expect(sent(onReply, [{ documents: 0 }])[1]).toEqual({ document: { a: 1 }, options: {} })
    expect(sent(onReply, [{ documents: 1 }])[1]).toBeNull()
    const onDraw = callsOf(steps([read, insertWhen({ '@lt': [{ '@var': 'row' }, 500_000] })], { row: drawn }))
    const skipped = Array.from({ length: 200 }, () => sent(onDraw.next())[1]).filter((args) => args === null).length
    expect(skipped).toBeGreaterThan(60)
    expect(skipped).toBeLessThan(140)
    const onParameter = planOf(
      steps(
        [
          { ...read, when: false },
          { ...read, name: 'other' },
        ],
        { row: 1 },
      ),
    )
    expect(onParameter.operations[0]).toMatchObject({ steps: [{ name: 'other' }] })
  })

  test('take rows of their own, which no one else gets', () => {
    const twice = callsOf(
      steps([
        { kind: 'insertOne', name: 'one' },
        { kind: 'insertOne', name: 'two', document: { _id: { '@nextRow': {} } } },
      ]),
    )
    const ids = Array.from({ length: 5 }, () => sent(twice.next()))
      .flat()
      .map((args) => idOf(args?.document))
    expect(ids.toSorted((a, b) => a - b)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
  })

  test('have the same digest whatever is replied', () => {
    const operation = steps([read, write], { row: drawn })
    const digest = (document: object): string => {
      const calls = callsOf(operation)
      for (let i = 0; i < 20; i++) sent(calls.next(), [{ document: serialize(document) }])
      return calls.digest()
    }
    expect(digest({ _id: 1 })).toBe(digest({ _id: 2 }))
  })

  test.each<[string, JsonObject, string]>([
    ['a step after it', steps([write, read], { row: 1 }), 'spec-steps-later-step'],
    [
      'what no reply has',
      steps([read, insertWhen({ '@eq': [{ '@var': 'read.modifed' }, 1] })], { row: 1 }),
      'spec-steps-reply-misspelt',
    ],
    ['another step of its name', steps([read, read], { row: 1 }), 'spec-steps-step-twice'],
    ['a let of its name', steps([{ ...read, name: 'row' }], { row: 1 }), 'spec-steps-name-of-let'],
    ['a weight', steps([{ ...read, weight: 1 }], { row: 1 }), 'spec-steps-weight'],
    ['steps in steps', steps([steps([read])]), 'spec-steps-in-steps'],
    ['no step', steps([]), 'spec-steps-empty'],
  ])('are refused for %s', (_, operation, code) =>
    expect(problemsOf({ phases: [aPhase({ operations: [operation] })] })).toSay(code),
  )

  test('cannot stop after a number of documents', () => {
    const phase = aPhase({ stopAfter: { documents: 5 }, operations: [steps([read], { row: 1 })] })
    expect(problemsOf({ phases: [phase] })).toSay('spec-steps-documents')
  })
})

const always = () => ({ args: noArguments, bytes: 10 })

describe('a call of several steps', () => {
  const pending: PendingCall = { abandoned: false }

  test('adds up what its steps did, and times each', async () => {
    const clock = fakeClock()
    const send = async (step: number) => {
      clock.advance(step + 1)
      return okOutcome({ documents: 1, modified: step, document: Uint8Array.of(step) })
    }
    expect(await runSteps([always, () => undefined, always], send, pending, clock)).toEqual({
      kind: 'ok',
      reply: { ...emptyReply, documents: 2, modified: 2, bytes: 20, document: Uint8Array.of(2) },
      steps: [
        { step: 0, ms: 1, bytes: 10, given: always(), outcome: expect.objectContaining({ kind: 'ok' }) },
        { step: 1, ms: 0, bytes: 0, outcome: undefined },
        { step: 2, ms: 3, bytes: 10, given: always(), outcome: expect.objectContaining({ kind: 'ok' }) },
      ],
    })
  })

  test('ends at the first step that is not ok', async () => {
    const sentSteps: number[] = []
    const send = async (step: number) => {
      sentSteps.push(step)
      return step === 1 ? failedOutcome() : okOutcome()
    }
    const outcome = await runSteps([always, always, always], send, pending, fakeClock())
    expect(sentSteps).toEqual([0, 1])
    expect(outcome).toMatchObject({ kind: 'failed', code: '11000', reply: { documents: 1, bytes: 10 } })
    expect(outcome.steps).toHaveLength(2)
  })

  test('sends no further step when its deadline has passed', async () => {
    const late = { abandoned: false }
    const sentSteps: number[] = []
    const send = async (step: number) => {
      sentSteps.push(step)
      late.abandoned = true
      return okOutcome()
    }
    await runSteps([always, always], send, late, fakeClock())
    expect(sentSteps).toEqual([0])
  })

  test('that no one answers in time has done the steps before, and the one in flight perhaps', async () => {
    const clock = fakeClock()
    const late: PendingCall = { abandoned: false }
    const answers = [Promise.resolve(okOutcome({ inserted: 1 })), undefined, new Promise<Outcome>(() => {})]
    const send = (step: number) => answers[step] ?? fail('no such step')
    void runSteps([always, () => undefined, always, always], send, late, clock)
    await new Promise(setImmediate)
    clock.advance(30)
    expect(late.whenLate?.(unknownOutcome())).toMatchObject({
      kind: 'unknown',
      reply: { inserted: 1 },
      steps: [
        { step: 0, outcome: { kind: 'ok' } },
        { step: 1, outcome: undefined },
        { step: 2, ms: 30, given: always(), outcome: { kind: 'unknown', code: 'DeadlineExceeded' } },
      ],
    })
  })
})
