import { serialize } from 'bson'
import { describe, expect, test } from 'vitest'
import { type Json, type JsonObject } from '../../../src/core/json.ts'
import { type Call, type Reply } from '../../../src/load/engines/engine.ts'
import { runSteps } from '../../../src/load/engines/run-steps.ts'
import { aPlan } from '../../fakes/a-plan.ts'
import { aPhase, problemsOf } from '../../fakes/a-spec.ts'
import { okOutcome } from '../../fakes/fake-calls.ts'
import { fakeClock } from '../../fakes/fake-clock.ts'

const target = { kind: 'replicaSet', members: 1 }

const transaction = (steps: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  kind: 'transaction',
  name: 'whole',
  steps: steps as Json,
  ...more,
})

const phaseWith = (operation: JsonObject, parts: JsonObject = {}): JsonObject =>
  aPhase({ operations: [operation], ...parts })

const planOf = (operation: JsonObject) => aPlan({ target, phases: [phaseWith(operation)] })

const callOf = (operation: JsonObject): Call => planOf(operation).calls('measured').next()

const problems = (operation: JsonObject, phase: JsonObject = {}, where: JsonObject = target) =>
  problemsOf({ target: where, phases: [phaseWith(operation, phase)] })

const take = (abortWhen?: JsonObject): JsonObject => ({
  kind: 'findOneAndUpdate',
  name: 'take',
  filter: { _id: 1 },
  update: { $inc: { balance: -10 } },
  ...(abortWhen && { abortWhen }),
})
const give: JsonObject = { kind: 'updateOne', name: 'give', filter: { _id: 2 }, update: { $inc: { balance: 10 } } }

const overdraft = { '@lt': [{ '@var': 'take.document.balance' }, 10] }
const notFound = { '@eq': [{ '@var': 'take.matched' }, 0] }

/** Why a call is aborted after its first step, when that is answered so. */
const reasonFor = (call: Call, reply: Partial<Reply>): string | undefined =>
  call.aborts?.[0]?.([okOutcome(reply).reply])

const withBalance = (balance: number): Partial<Reply> => ({ matched: 1, document: serialize({ _id: 1, balance }) })

/** Makes the calls of a step and another one, each of which does something to one document. */
const runWith = async (first: JsonObject) => {
  const { steps = [], aborts } = callOf(transaction([first, give], { let: { one: 1 } }))
  const sent: number[] = []
  const send = async (step: number) => {
    sent.push(step)
    return okOutcome({ matched: 1, modified: 1, document: serialize({ balance: 1 }) })
  }
  return { outcome: await runSteps(steps, send, { abandoned: false }, fakeClock(), aborts), sent }
}

describe('abortWhen', () => {
  test('reads the reply of its own step', () => {
    const call = callOf(transaction([take({ overdraft }), give]))
    expect(reasonFor(call, withBalance(9))).toBe('overdraft')
    expect(reasonFor(call, withBalance(10))).toBeUndefined()
  })

  test('has the document kept that it reads', () => {
    const [own, none] = [take({ overdraft }), take({ notFound })].map((step) => planOf(transaction([step, give])))
    expect(own?.operations[0]).toMatchObject({ steps: [{ documentIsRead: true }, { documentIsRead: false }] })
    expect(none?.operations[0]).toMatchObject({ steps: [{ documentIsRead: false }, { documentIsRead: false }] })
  })

  test('gives the first reason that holds; what is not there is null', () => {
    // Null is below every number.
    const nothing = { matched: 0, document: null }
    expect(reasonFor(callOf(transaction([take({ notFound, overdraft })])), nothing)).toBe('notFound')
    expect(reasonFor(callOf(transaction([take({ overdraft, notFound })])), nothing)).toBe('overdraft')
  })

  test('reads the replies of earlier steps, and values of the call', () => {
    const late = {
      ...give,
      abortWhen: {
        same: { '@eq': [{ '@var': 'take.document.balance' }, { '@var': 'limit' }] },
        changed: { '@eq': [{ '@var': 'give.modified' }, 1] },
      },
    }
    const call = callOf(transaction([take(), late], { let: { limit: 7 } }))
    const reasonAfter = (balance: number, modified: number) =>
      call.aborts?.[1]?.([okOutcome(withBalance(balance)).reply, okOutcome({ modified }).reply])
    expect(call.aborts?.[0]).toBeUndefined()
    expect(reasonAfter(7, 1)).toBe('same')
    expect(reasonAfter(8, 1)).toBe('changed')
    expect(reasonAfter(8, 0)).toBeUndefined()
  })

  test('keeps to its own call while others are made', () => {
    const drawn = { let: { limit: { '@int': { min: 0, max: 1_000_000 } } } }
    const calls = planOf(
      transaction([take({ low: { '@lt': [{ '@var': 'take.document.balance' }, { '@var': 'limit' }] } })], drawn),
    ).calls('measured')
    const first = calls.next()
    const before = reasonFor(first, withBalance(500_000))
    for (let i = 0; i < 20; i++) calls.next()
    expect(reasonFor(first, withBalance(500_000))).toBe(before)
  })

  test('is no part of the call', () => {
    const [prepare] = callOf(transaction([take({ overdraft })])).steps ?? []
    expect(prepare?.([])?.args).toEqual({ filter: { _id: 1 }, update: { $inc: { balance: -10 } }, options: {} })
  })

  test('ends the steps, and is not asked of a step that was skipped', async () => {
    const skipped = { ...take({ overdraft }), when: { '@eq': [{ '@var': 'one' }, 2] } }
    const aborted = await runWith(take({ overdraft }))
    expect(aborted).toMatchObject({ outcome: { kind: 'aborted', reason: 'overdraft' }, sent: [0] })
    expect(aborted.outcome.steps).toHaveLength(1)
    expect(await runWith(skipped)).toMatchObject({ outcome: { kind: 'ok' }, sent: [1] })
  })
})

describe('a transaction', () => {
  test('says all that is sent with it, also where the spec does not', () => {
    expect(planOf(transaction([give])).operations[0]).toMatchObject({
      kind: 'transaction',
      transaction: {
        runner: 'managed',
        maxAttempts: 100,
        readConcern: { level: 'snapshot' },
        writeConcern: { w: 'majority', wtimeoutMS: 10_000 },
        readPreference: { mode: 'primary' },
      },
    })
    const settings = { runner: 'withTransaction', readConcern: { level: 'local' }, writeConcern: { w: 1, j: true } }
    expect(planOf(transaction([give], settings)).operations[0]).toMatchObject({
      transaction: { ...settings, maxAttempts: null },
    })
  })

  test.each<[string, JsonObject, string]>([
    ['a transaction', transaction([transaction([give])]), 'spec-transaction-in-transaction'],
    ['a kind that is none', transaction([{ kind: 'updateOn' }]), 'spec-transaction-step-misspelt'],
    ['no kind', transaction([{ filter: {} }]), 'spec-transaction-step-without-kind'],
    [
      'a budget that the driver does not know',
      transaction([give], { runner: 'withTransaction', maxAttempts: 5 }),
      'spec-transaction-attempts',
    ],
    ['what no reply has', transaction([take({ gone: { '@var': 'take.deletd' } })]), 'spec-transaction-reply-misspelt'],
    [
      'a later step in a reason',
      transaction([take({ gone: { '@var': 'give.matched' } }), give]),
      'spec-transaction-later-step',
    ],
    ['a reason without a name', transaction([take({ 'no name': true })]), 'spec-transaction-reason-name'],
    ['two steps of a name', transaction([give, give]), 'spec-transaction-step-twice'],
  ])('is refused for %s', (_, operation, code) => expect(problems(operation)).toSay(code))

  test('is refused beside calls that are not acknowledged', () =>
    expect(problems(transaction([give]), { writeConcern: { w: 0 } })).toSay('spec-transaction-beside-unacknowledged'))

  test('is refused for an output, even one that is allowed', () => {
    const allow = ['$out'] as const
    const operation = transaction([{ kind: 'aggregate', pipeline: [{ $out: 'other' }] }])
    expect(problemsOf({ target, allow, phases: [phaseWith(operation)] }, { allow })).toSay('spec-transaction-output')
  })

  test('is refused for a write concern that the target does not define', () => {
    const operation = transaction([give], { writeConcern: { w: 'everywhere' } })
    expect(problems(operation)).toSay('spec-transaction-concern-unknown')
  })

  test('cannot stop after a number of documents', () =>
    expect(problems(transaction([give]), { stopAfter: { documents: 5 } })).toSay('spec-transaction-documents'))

  test('alone may abort: steps have nothing to undo', () =>
    expect(problems({ kind: 'steps', name: 'both', steps: [take({ overdraft })] })).toSay('spec-steps-abort'))
})
