import { describe, expect, test } from 'vitest'
import { emptyReply, type Outcome } from '../../src/engines/engine.ts'
import { noArguments } from '../../src/engines/intent.ts'
import { PhaseRecorder } from '../../src/measure/recorder.ts'
import { type PlannedCall } from '../../src/plan/plan.ts'
import { placeKey, Stream } from '../../src/random.ts'
import { callAt, type CallBatch, createBatchWriter, type EndedCall, sizeOf } from '../../src/threads/call-batch.ts'
import { mergeBatches } from '../../src/threads/merge-batches.ts'
import { failedOutcome, fakeOperation, okOutcome, unknownOutcome } from '../fakes/fake-calls.ts'

const steps: Outcome = {
  ...okOutcome({ documents: 2 }),
  steps: [
    { step: 0, ms: 1.25, bytes: 10, outcome: okOutcome({ documents: 1, bytes: 30 }) },
    { step: 1, ms: 0, bytes: 0, outcome: undefined },
  ],
}
const tally = { attempts: 2, conflicts: 1, commitRetries: 0, firstTryMs: null, commitMs: null }
const outcomes: readonly Outcome[] = [
  { kind: 'aborted', reason: 'overdraft', reply: emptyReply, transaction: tally },
  { ...steps, transaction: { ...tally, commitMs: 3 } },
  okOutcome({ documents: 3, bytes: 300, matched: 1, modified: 2, upserted: 4, inserted: 5, deleted: 6 }),
  failedOutcome(),
  okOutcome(),
  steps,
  unknownOutcome(),
]

/** Calls of 3.5 seconds, in the order in which they end. */
function someCalls(count: number): readonly EndedCall[] {
  const draws = new Stream(placeKey(1, 'calls')).at(0)
  return Array.from({ length: count }, (_, number) => {
    const endMs = 1000 + (number * 3500) / count
    const outcome = outcomes[draws.below(outcomes.length)] ?? okOutcome()
    const call: PlannedCall = { operation: number % 2, args: noArguments, bytes: 100 + number, documents: 2, number }
    return { call, startMs: endMs - draws.float() * 20, endMs, outcome }
  })
}

/** A message between threads is a copy. */
const sent = (batch: CallBatch): CallBatch => structuredClone(batch)

test('a call comes out of a batch as it went in', () => {
  const batch = createBatchWriter()
  const calls = someCalls(40)
  for (const { call, startMs, endMs, outcome } of calls) batch.add(call, startMs, endMs, outcome)
  const arrived = sent(batch.take(5000))
  expect(Array.from({ length: sizeOf(arrived) }, (_, i) => callAt(arrived, i))).toEqual(calls)
  expect(arrived.untilMs).toBe(5000)
  expect(sizeOf(batch.take(5001))).toBe(0)
})

test('documents of replies, and the memory that they are cut from, are not sent', () => {
  const batch = createBatchWriter()
  const reply = { ...emptyReply, document: new Uint8Array(1024) }
  const step = { step: 0, ms: 1, bytes: 0, outcome: { kind: 'ok' as const, reply } }
  batch.add({ operation: 0, args: noArguments, bytes: 0, documents: 0, number: 0 }, 0, 1, {
    kind: 'ok',
    reply,
    steps: [step],
  })
  expect(JSON.stringify(batch.take(1).outcomes)).not.toMatch(/"document":[^n]/)
})

test('a full batch says so', () => {
  const batch = createBatchWriter()
  let added = 0
  for (const { call, startMs, endMs, outcome } of someCalls(2000)) {
    if (batch.isFull()) break
    batch.add(call, startMs, endMs, outcome)
    added += 1
  }
  expect(batch.isFull()).toBe(true)
  expect(sizeOf(batch.take(0))).toBe(added)
})

/** Spreads calls over threads at random, and hands on what each tells whenever it likes. */
function viaThreads(calls: readonly EndedCall[], threads: number, deliver: (call: EndedCall) => void): void {
  const draws = new Stream(placeKey(2, 'threads')).at(0)
  const hear = mergeBatches(threads, deliver)
  const writers = Array.from({ length: threads }, createBatchWriter)
  for (const { call, startMs, endMs, outcome } of calls) {
    writers[draws.below(threads)]?.add(call, startMs, endMs, outcome)
    const teller = draws.below(threads * 5)
    const writer = writers[teller]
    if (writer) hear(teller, sent(writer.take(endMs)))
  }
  for (const [thread, writer] of writers.entries()) hear(thread, sent(writer.take(Infinity)))
}

describe.each([1, 2, 5])('calls of %i threads', (threads) => {
  test('are delivered in the order in which they ended', () => {
    const calls = someCalls(1000)
    const delivered: EndedCall[] = []
    viaThreads(calls, threads, (call) => void delivered.push(call))
    expect(delivered).toEqual(calls)
  })

  test('are recorded as if they had been made here, second by second', () => {
    const read = { ...fakeOperation(), expectDocuments: 3 }
    const operations = [read, { name: 'both', kind: 'steps', steps: [fakeOperation(), fakeOperation()] }]
    const [direct, merged] = [new PhaseRecorder(operations, 50), new PhaseRecorder(operations, 50)]
    const calls = someCalls(1000)
    direct.start(990)
    merged.start(990)
    for (const { call, startMs, endMs, outcome } of calls) direct.record(call, startMs, endMs, outcome)
    viaThreads(calls, threads, ({ call, startMs, endMs, outcome }) => merged.record(call, startMs, endMs, outcome))
    const result = merged.finish()
    expect(result).toEqual(direct.finish())
    expect(result[0]?.perSecond.ok).toHaveLength(4)
  })
})

const batchOf = (ends: readonly number[], untilMs: number): CallBatch => {
  const batch = createBatchWriter()
  for (const endMs of ends)
    batch.add({ operation: 0, args: noArguments, bytes: 0, documents: 1, number: 0 }, 0, endMs, okOutcome())
  return batch.take(untilMs)
}

test('a call is held back until every thread has told of the time before it', () => {
  const delivered: number[] = []
  const hear = mergeBatches(2, ({ endMs }) => void delivered.push(endMs))
  hear(0, batchOf([10, 30, 50], 50))
  expect(delivered).toEqual([])
  hear(1, batchOf([], 20))
  expect(delivered).toEqual([10])
  hear(1, batchOf([25, 40], 40))
  expect(delivered).toEqual([10, 25, 30, 40])
  hear(1, batchOf([], Infinity))
  expect(delivered).toEqual([10, 25, 30, 40, 50])
})
