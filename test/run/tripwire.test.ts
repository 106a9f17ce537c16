import { describe, expect, test } from 'vitest'
import { type Outcome } from '../../src/engines/engine.ts'
import { type PlannedCall } from '../../src/plan/plan.ts'
import { createTripwire } from '../../src/run/tripwire.ts'
import { aPhaseShape, aShape } from '../fakes/a-shape.ts'

const shape = aShape(aPhaseShape('mix', ['find', 'insertOne']), aPhaseShape('later', ['find']))
const operations = [{ name: 'find', expectDocuments: 2 }, { name: 'insertOne' }] as never

/** How many of these calls it takes to trip; null when they do not. Each is "operation outcome documents". */
function tripsAfter(threshold: string, ...calls: readonly string[]): number | null {
  const { signal, record } = createTripwire([threshold], { name: 'mix', operations }, shape)
  for (const [index, call] of calls.entries()) {
    const [operation, kind = 'ok', documents = 2] = call.split(' ')
    record(
      { operation: operation === 'find' ? 0 : 1 } as PlannedCall,
      { kind, reply: { documents: Number(documents) } } as Outcome,
    )
    if (signal.aborted) return index + 1
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
  '%s says nothing before the end of this phase',
  (threshold) => expect(tripsAfter(threshold, ...fails)).toBeNull(),
)

test('a transaction that was aborted on purpose is no error', () => {
  expect(tripsAfter('mix.errors == 0', 'insertOne aborted', 'find aborted', 'insertOne failed')).toBe(3)
})
