import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyReply, type Outcome } from '../../../src/load/engines/engine.ts'
import { noArguments } from '../../../src/load/engines/intent.ts'
import { maxErrors } from '../../../src/load/measure/error-counts.ts'
import { PhaseTotal } from '../../../src/load/measure/phase-total.ts'
import { type OperationPlan } from '../../../src/load/plan/plan.ts'
import { type OperationResult } from '../../../src/results/schema/calls.ts'
import { fail } from '../../fakes/fail.ts'
import { failedOutcome, fakeOperation, fakePhase, okOutcome, unknownOutcome } from '../../fakes/fake-calls.ts'
import { forAll } from '../../fakes/for-all.ts'
import { settings } from '../../fakes/random-calls.ts'
import { recordCalls } from '../../fakes/record-calls.ts'

const startMs = 1000
const call = { operation: 0, args: noArguments, bytes: 0, documents: 0, number: 0 }

type Sample = {
  readonly endMs: number
  readonly latencyMs?: number
  readonly outcome?: Outcome
  readonly operation?: number
  readonly bytes?: number
  readonly documents?: number
}

/** Records samples, their ends counted from the start of the window. */
function record(
  samples: readonly Sample[],
  operations: readonly OperationPlan[] = [fakeOperation()],
): OperationResult[] {
  return recordCalls({ operations }, startMs, (recorder) => {
    for (const { endMs, latencyMs = 1, outcome = okOutcome(), operation = 0, bytes = 0, documents = 1 } of samples) {
      recorder.record({ ...call, operation, bytes, documents }, startMs + endMs - latencyMs, startMs + endMs, outcome)
    }
  })
}

const recordOne = (samples: readonly Sample[], plan = {}): OperationResult => {
  const [result = fail('no operation')] = record(samples, [fakeOperation(plan)])
  return result
}

test('counts, mean, minimum and maximum are exact', () => {
  const { ok, latency } = recordOne([1.234, 20.001, 0.5].map((latencyMs) => ({ endMs: 500, latencyMs })))
  expect(ok).toBe(3)
  expect(latency.ok).toMatchObject({ count: 3, minMs: 0.5, maxMs: 20.001 })
  expect(latency.ok?.meanMs).toBeCloseTo((1.234 + 20.001 + 0.5) / 3, 10)
})

test('a sample outside of 1 µs to 10 min is clamped and counted, never thrown', () => {
  const { latency } = recordOne([
    { endMs: 900_000, latencyMs: 700_000 },
    { endMs: 900_000, latencyMs: 0 },
    { endMs: 900_000 },
  ])
  expect(latency.ok).toMatchObject({ count: 3, clamped: 2, maxMs: 700_000, minMs: 0 })
})

test('each outcome has its own count and latency', () => {
  const { ok, failed, unknown, latency } = recordOne([
    { endMs: 10, latencyMs: 1 },
    { endMs: 20, latencyMs: 2, outcome: failedOutcome() },
    { endMs: 30, latencyMs: 3, outcome: failedOutcome() },
    { endMs: 40, latencyMs: 4, outcome: unknownOutcome() },
  ])
  expect([ok, failed, unknown]).toEqual([1, 2, 1])
  expect(latency.failed).toMatchObject({ count: 2, minMs: 2, maxMs: 3 })
  expect(latency.unknown).toMatchObject({ count: 1, minMs: 4 })
})

test('operations are kept apart', () => {
  const results = record(
    [{ endMs: 1 }, { endMs: 2, operation: 1 }, { endMs: 3, operation: 1 }],
    [fakeOperation({ name: 'read' }), fakeOperation({ name: 'write' }), fakeOperation({ name: 'idle' })],
  )
  expect(results.map(({ name, ok, latency }) => [name, ok, latency.ok?.count])).toEqual([
    ['read', 1, 1],
    ['write', 2, 2],
    ['idle', 0, undefined],
  ])
})

test('the figures of replies are summed up', () => {
  const reply = { documents: 3, matched: 4, modified: 2, upserted: 1, inserted: 0, deleted: 0 }
  const sample = { endMs: 1, outcome: okOutcome(reply) }
  expect(recordOne([sample, sample])).toMatchObject({
    documents: 6,
    matched: 8,
    modified: 4,
    upserted: 2,
    inserted: 0,
    deleted: 0,
  })
})

describe('bytes', () => {
  test('of a read are those of the documents read', () => {
    const read = { endMs: 1, outcome: okOutcome({ documents: 2, bytes: 300 }) }
    expect(recordOne([read, read]).bytes).toBe(600)
  })

  const insert = { reply: 'insertMany', carriesDocuments: true }

  test('of a write are those that the call carried', () => {
    const outcome = okOutcome({ documents: 10, inserted: 10 })
    expect(recordOne([{ endMs: 1, outcome, bytes: 1000, documents: 10 }], insert).bytes).toBe(1000)
  })

  test('of a write that failed in part are those of its part', () => {
    const outcome = { ...failedOutcome(), reply: { ...emptyReply, documents: 3, inserted: 3 } }
    const result = recordOne([{ endMs: 1, outcome, bytes: 1000, documents: 10 }], insert)
    expect(result).toMatchObject({ bytes: 300, documents: 3, ok: 0, failed: 1 })
  })

  test('are not given for operations that move no documents', () =>
    expect(recordOne([{ endMs: 1 }], { reply: 'update' }).bytes).toBeNull())
})

describe('documents', () => {
  test.each(['count', 'values', 'command', 'output'] as const)(
    'are not given by a call that replies with %s',
    (reply) => {
      const outcome = okOutcome({ documents: 0, matched: 7 })
      expect(recordOne([{ endMs: 1, outcome }], { reply })).toMatchObject({ ok: 1, documents: null, bytes: null })
    },
  )

  test('are 0 where a read or a write found none', () => {
    const outcome = okOutcome({ documents: 0 })
    for (const reply of ['document', 'cursor', 'update', 'delete'] as const)
      expect(recordOne([{ endMs: 1, outcome }], { reply }).documents).toBe(0)
  })

  test('of an operation of several calls are those of the calls that give some', () => {
    const count = fakeOperation({ name: 'count', reply: 'count' })
    const read = fakeOperation({ name: 'read', reply: 'cursor' })
    const results = record(
      [],
      [
        { name: 'counts', kind: 'steps', steps: [count] },
        { name: 'both', kind: 'steps', steps: [count, read] },
      ],
    )
    expect(results).toMatchObject([
      { documents: null, steps: [{ documents: null }] },
      { documents: 0, steps: [{ documents: null }, { documents: 0 }] },
    ])
  })
})

describe('errors', () => {
  test('are counted by outcome and code, the most frequent first, with their first message', () => {
    const first = { ...failedOutcome(), message: 'the first' }
    const { errors } = recordOne([
      { endMs: 1, outcome: unknownOutcome() },
      { endMs: 2, outcome: first },
      { endMs: 3, outcome: failedOutcome() },
    ])
    expect(errors).toEqual([
      { code: '11000', name: 'DuplicateKey', outcome: 'failed', labels: [], count: 2, message: 'the first' },
      {
        code: 'DeadlineExceeded',
        name: 'DeadlineExceeded',
        outcome: 'unknown',
        labels: [],
        count: 1,
        message: 'DeadlineExceeded on purpose',
      },
    ])
  })

  test('are counted apart by their labels', () => {
    const labelled = { ...failedOutcome(), labels: ['RetryableWriteError'] }
    const { errors } = recordOne([labelled, failedOutcome(), labelled].map((outcome) => ({ endMs: 1, outcome })))
    expect(errors.map(({ labels, count }) => [labels, count])).toEqual([
      [['RetryableWriteError'], 2],
      [[], 1],
    ])
  })

  test('of more codes than we keep are counted as other', () => {
    const samples = Array.from({ length: maxErrors + 10 }, (_, code) => ({
      endMs: 1,
      outcome: failedOutcome(String(code)),
    }))
    const { errors } = recordOne(samples)
    expect(errors).toHaveLength(maxErrors + 1)
    expect(errors[0]).toMatchObject({ code: 'other', count: 10 })
  })

  test('have messages of bounded length', () => {
    const outcome = { ...failedOutcome(), message: 'x'.repeat(100_000) }
    expect(recordOne([{ endMs: 1, outcome }]).errors[0]?.message).toHaveLength(500)
  })
})

describe('rows per second', () => {
  test('hold the calls that ended in that second, a second without calls included', () => {
    const { perSecond } = recordOne([
      { endMs: 999.999, latencyMs: 2 },
      { endMs: 1000, latencyMs: 1000 },
      { endMs: 1500, latencyMs: 3, outcome: okOutcome({ documents: 5 }) },
      { endMs: 1600, outcome: failedOutcome() },
      { endMs: 3100, outcome: unknownOutcome() },
    ])
    expect(perSecond).toEqual({
      ok: [1, 2, 0, 0],
      failed: [0, 1, 0, 0],
      unknown: [0, 0, 0, 1],
      documents: [1, 6, 0, 0],
      p50Ms: [2, expect.closeTo(3, 2), null, null],
      p99Ms: [2, 1000, null, null],
      maxMs: [2, 1000, null, null],
      histograms: [[43, 1], [46, 1, ...Array<number>(32).fill(0), 1], [], []],
    })
  })

  test('are equally many for all operations', () => {
    const results = record([{ endMs: 2500 }], [fakeOperation(), fakeOperation({ name: 'idle' })])
    expect(results.map(({ perSecond }) => perSecond.ok)).toEqual([
      [0, 0, 1],
      [0, 0, 0],
    ])
  })

  test('are none for a phase that sent nothing', () => {
    const total = new PhaseTotal(fakePhase())
    expect(total.operations()).toMatchObject([{ ok: 0, latency: { ok: null }, perSecond: { ok: [] } }])
  })

  test('add up to the totals, whatever ends when', () => {
    const sample = fc.record({
      endMs: fc.nat({ max: 20_000 }),
      outcome: fc.constantFrom(okOutcome(), failedOutcome(), unknownOutcome()),
    })
    forAll(fc.array(sample, { minLength: 1, maxLength: 100 }), (samples) => {
      const ordered = samples.toSorted((one, other) => one.endMs - other.endMs)
      const { perSecond, ...totals } = recordOne(ordered)
      for (const kind of ['ok', 'failed', 'unknown'] as const) {
        expect(perSecond[kind].reduce((sum, count) => sum + count, 0)).toBe(totals[kind])
      }
      expect(perSecond.ok).toHaveLength(Math.floor((ordered.at(-1)?.endMs ?? 0) / 1000) + 1)
    })
  })
})

const kept = (keepSamples: number, numbers: readonly number[]): OperationResult['samples'] => {
  const [result] = recordCalls({ keepSamples }, 0, (recorder) => {
    for (const [i, number] of numbers.entries()) {
      const outcome = number === 13 ? failedOutcome() : okOutcome()
      recorder.record({ ...call, documents: 1, number }, i, i + number + 1, outcome)
    }
  })
  return result?.samples ?? null
}

test.each<[string, number, readonly number[], OperationResult['samples']]>([
  [
    'are kept by the number of their call, failed ones left out',
    10,
    [2, 0, 13, 1],
    { numbers: [0, 1, 2], ms: [1, 2, 3], dropped: 0 },
  ],
  ['are kept up to a number, and the others counted', 2, [0, 1, 2, 3], { numbers: [0, 1], ms: [1, 2], dropped: 2 }],
  ['are those of the first calls, whichever end first', 2, [3, 1, 2, 0], { numbers: [0, 1], ms: [1, 2], dropped: 2 }],
  ['are none where no call was made', 2, [], { numbers: [], ms: [], dropped: 0 }],
  ['are not kept unless asked for', 0, [0, 1], null],
])('single timings %s', (_, keepSamples, numbers, samples) => expect(kept(keepSamples, numbers)).toEqual(samples))

test('documents that a read expects are found or missing, and more than those are not counted', () => {
  const reads = [3, 0, 5].map((documents) => ({ endMs: 1, outcome: okOutcome({ documents }) }))
  const failed = { endMs: 1, outcome: failedOutcome() }
  expect(recordOne([...reads, failed], { expectDocuments: 4 })).toMatchObject({ found: 7, missing: 5 })
  expect(recordOne(reads)).toMatchObject({ found: null, missing: null })
})

test('documents that steps expect are found or missing too, and of the operation all together', () => {
  const steps = [fakeOperation({ name: 'a', expectDocuments: 2 }), fakeOperation({ name: 'b' })]
  const short: boolean[] = []
  const [both, plain] = recordCalls(
    { operations: [{ name: 'both', kind: 'steps', steps }, fakeOperation()] },
    0,
    (recorder) => {
      for (const outcome of [okOutcome({ documents: 1 }), okOutcome({ documents: 3 }), failedOutcome(), undefined])
        short.push(recorder.record(call, 0, 1, { ...okOutcome(), steps: [{ step: 0, ms: 1, bytes: 0, outcome }] }))
    },
  )
  expect(short).toEqual([true, false, false, false])
  expect(both).toMatchObject({ found: 3, missing: 1 })
  expect(both?.steps).toMatchObject([
    { name: 'a', found: 3, missing: 1 },
    { name: 'b', found: null, missing: null },
  ])
  expect(plain).toMatchObject({ found: null, missing: null })
})

test('steps are counted and timed apart, and those that were skipped are counted', () => {
  const steps = [
    fakeOperation({ name: 'read' }),
    fakeOperation({ name: 'write', reply: 'update', carriesDocuments: true }),
  ]
  const read = { step: 0, ms: 2, bytes: 0, outcome: okOutcome({ documents: 1, bytes: 50 }) }
  const written = { step: 1, ms: 3, bytes: 70, outcome: okOutcome({ documents: 1, modified: 1 }) }
  const reply = { ...okOutcome({ documents: 2, bytes: 120, modified: 1 }).reply }
  const [both] = recordCalls({ operations: [{ name: 'both', kind: 'steps', steps }] }, 0, (recorder) => {
    recorder.record(call, 0, 6, { kind: 'ok', reply, steps: [read, written] })
    recorder.record(call, 0, 6, { ...okOutcome(), steps: [read, { step: 1, ms: 0, bytes: 0, outcome: undefined }] })
    recorder.record(call, 0, 6, { ...failedOutcome(), steps: [{ ...read, outcome: failedOutcome() }] })
  })
  expect(both).toMatchObject({ name: 'both', kind: 'steps', ok: 2, failed: 1, modified: 1, bytes: 120 })
  expect(both?.steps).toMatchObject([
    { name: 'read', ok: 2, failed: 1, skipped: 0, bytes: 100, latency: { ok: { count: 2, meanMs: 2 } } },
    { name: 'write', ok: 1, failed: 0, skipped: 1, bytes: 70, modified: 1, latency: { ok: { count: 1, meanMs: 3 } } },
  ])
})

test('of a step that failed in part the bytes are those of its part', () => {
  const insert = fakeOperation({ reply: 'insertMany', carriesDocuments: true, documentsPerCall: 100 })
  const outcome = { ...failedOutcome(), reply: { ...emptyReply, documents: 50, inserted: 50 } }
  const [fill] = recordCalls({ operations: [{ name: 'fill', kind: 'steps', steps: [insert] }] }, 0, (recorder) =>
    recorder.record(call, 0, 6, { ...outcome, steps: [{ step: 0, ms: 2, bytes: 100_000, outcome }] }),
  )
  expect(fill?.steps).toMatchObject([{ failed: 1, documents: 50, bytes: 50_000 }])
})

describe('transactions', () => {
  const steps = [fakeOperation({ name: 'take' })]
  const tally = { attempts: 1, conflicts: 0, commitRetries: 0, firstTryMs: null, commitMs: null }
  const aborted = (reason: string): Outcome => ({ kind: 'aborted', reason, reply: emptyReply, transaction: tally })
  const outcomes: readonly Outcome[] = [
    { ...okOutcome({ documents: 3 }), transaction: { ...tally, firstTryMs: 9, commitMs: 2 } },
    { ...okOutcome({ documents: 3 }), transaction: { ...tally, attempts: 3, conflicts: 2, commitMs: 4 } },
    aborted('overdraft'),
    aborted('notFound'),
    aborted('overdraft'),
    { ...failedOutcome('112', 'WriteConflict'), transaction: { ...tally, attempts: 5, conflicts: 5 } },
    { ...unknownOutcome(), transaction: { ...tally, commitRetries: 4 } },
  ]
  const operations = [{ name: 'transfer', kind: 'transaction', steps, transaction: settings }]
  const [result] = recordCalls({ operations }, startMs, (recorder) => {
    for (const outcome of outcomes) {
      recorder.record(call, startMs, startMs + 10, outcome)
    }
  })

  test('that were aborted are counted apart, by reason: neither throughput nor errors', () => {
    expect(result).toMatchObject({ ok: 2, failed: 1, unknown: 1, documents: 6 })
    expect(result?.errors.map(({ code }) => code).toSorted()).toEqual(['112', 'DeadlineExceeded'])
    expect(result?.perSecond).toMatchObject({ ok: [2], failed: [1], unknown: [1] })
    expect(result?.transaction).toMatchObject({ aborted: 3, aborts: { overdraft: 2, notFound: 1 } })
  })

  test('show what they took, and with which concerns', () => {
    expect(result?.transaction).toMatchObject({ ...settings, commits: 2, unknownCommits: 1 })
    expect(result?.transaction).toMatchObject({ attempts: 13, retries: 6, conflicts: 7, commitRetries: 4 })
    expect(result?.transaction?.latency).toMatchObject({
      firstTry: { count: 1, meanMs: 9 },
      commit: { count: 2, meanMs: 3 },
      aborted: { count: 3, meanMs: 10 },
    })
  })

  test('are part of the result only where there are some', () =>
    expect(recordOne([{ endMs: 1 }]).transaction).toBeNull())
})
