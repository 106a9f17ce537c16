import { describe, expect, test } from 'vitest'
import { emptyReply, type Outcome } from '../../../src/load/engines/engine.ts'
import { noArguments } from '../../../src/load/engines/intent.ts'
import { PhaseRecorder } from '../../../src/load/measure/phase-part.ts'
import { watchThresholds } from '../../../src/run/instruments/abort-condition.ts'
import { aPhaseShape, aShape } from '../../fakes/a-shape.ts'
import { failedOutcome, fakeOperation, fakePhase, okOutcome, unknownOutcome } from '../../fakes/fake-calls.ts'

const shape = aShape(aPhaseShape('mix', ['find', 'insertOne']), aPhaseShape('later', ['find']))
const operations = [
  fakeOperation({ name: 'find', expectDocuments: 2 }),
  fakeOperation({ name: 'insertOne', kind: 'insertOne', reply: 'insert' }),
]
const phase = fakePhase({ name: 'mix', operations })

const outcomeOf = (kind: string, documents: number): Outcome => {
  if (kind === 'failed') return failedOutcome()
  if (kind === 'unknown') return unknownOutcome()
  return kind === 'aborted' ? { kind, reason: 'overdraft', reply: emptyReply } : okOutcome({ documents })
}

/** How many of these calls it takes to trip; null when they do not. Each is "operation outcome documents". */
function tripsAfter(threshold: string, ...calls: readonly string[]): number | null {
  const isBeyond = watchThresholds([threshold], phase, shape)
  const recorder = new PhaseRecorder(phase, 0)
  for (const [number, text] of calls.entries()) {
    const [operation, kind = 'ok', documents = 2] = text.split(' ')
    const call = { operation: operation === 'find' ? 0 : 1, args: noArguments, bytes: 0, documents: 1, number }
    recorder.record(call, number, number + 1, outcomeOf(kind, Number(documents)))
    if (isBeyond(recorder.take())) return number + 1
  }
  return null
}

const fails = ['find failed', 'insertOne unknown', 'find ok', 'insertOne failed'] as const

describe('a bound on a count that only grows', () => {
  test.each([
    ['mix.errors == 0', 1],
    ['mix.errors <= 1', 2],
    ['mix.errors < 2', 2],
    ['mix.errors < 3', 4],
    ['mix.errors == 3', null],
    ['mix.failed < 2', 4],
    ['mix.unknown == 0', 2],
    ['insertOne.errors == 0', 2],
    ['mix.find.errors <= 1', null],
  ])('%s ends the phase with the call that passes it', (threshold, expected) => {
    expect(tripsAfter(threshold, ...fails)).toBe(expected)
  })

  test.each([
    ['mix.missing <= 1', 2],
    ['mix.find.missing == 0', 1],
    ['insertOne.missing == 0', null],
  ])('%s counts documents that did not come', (threshold, expected) => {
    expect(tripsAfter(threshold, 'find ok 1', 'find ok 0', 'insertOne ok 0', 'find failed 0')).toBe(expected)
  })
})

test.each(['mix.errors > 0', 'mix.p99Ms < 0', 'later.errors == 0', 'mix.opsPerSecond > 1'])(
  '%s does not end this phase',
  (threshold) => expect(tripsAfter(threshold, ...fails)).toBeNull(),
)

test('a transaction that was aborted on purpose is no error', () => {
  expect(tripsAfter('mix.errors == 0', 'insertOne aborted', 'find aborted', 'insertOne failed')).toBe(3)
})
