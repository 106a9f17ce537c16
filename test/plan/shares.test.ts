import { describe, expect, test } from 'vitest'
import { type Call } from '../../src/engines/engine.ts'
import { type JsonObject } from '../../src/json.ts'
import { sumOfDigests } from '../../src/plan/call-source.ts'
import { compilePhase } from '../../src/plan/compile-phase.ts'
import { createDataSet } from '../../src/plan/data-set.ts'
import { type StopAfter } from '../../src/plan/plan.ts'
import { type EndedBecause } from '../../src/load/limits.ts'
import { createPassMemory, openPass, type SharedPass } from '../../src/load/shared-pass.ts'
import { openNumbers, shareRows, takeRowsBack } from '../../src/load/shared-rows.ts'
import { fakePhase, fakeSource } from '../fakes/fake-calls.ts'
import { aPhase, oneRow } from '../fakes/a-spec.ts'
import { fail } from '../fakes/fail.ts'

const compileContext = { seed: 42, report: (_: unknown, reason: string) => fail(reason) }

const specOf = (phase: JsonObject) => {
  const { spec } = oneRow({ seed: 42, phases: [phase] })
  return { data: spec.data, phase: spec.phases[0] ?? fail('There is no phase') }
}

/** Takes all calls of a phase, each thread in its turn; what they share is shared as between real threads. */
function takeAll(phaseJson: JsonObject, threads: number) {
  const { data, phase } = specOf(phaseJson)
  const own = data.map((spec, i) => createDataSet(spec, ['data', i], compileContext))
  const rows = shareRows(own, threads)
  const plan = compilePhase(phase, ['phases', 0], own, compileContext)
  const memory = createPassMemory(plan, 'measured')
  const takers = Array.from({ length: threads }, (_, thread) => {
    const numbers = [...data.keys()].map((i) => openNumbers(rows, i, thread))
    const dataSets = data.map((spec, i) => createDataSet(spec, ['data', i], compileContext, numbers[i]))
    const byName = new Map(numbers.map((one, i) => [data[i]?.collection ?? '', one]))
    const pass = openPass(memory, plan.stopAfter, byName)
    const source = compilePhase(phase, ['phase'], dataSets, compileContext).calls('measured', pass.order)
    return { pass, source }
  })
  const calls: Call[] = []
  for (let turn = 0, idle = 0; idle < threads; turn++) {
    // Not simply in turn: one takes two, another none.
    const { pass, source } = takers[(turn * 7 + (turn % 3)) % threads] ?? fail('There is no such thread')
    const call = pass.take(0, source.next)
    idle = call === undefined ? idle + 1 : 0
    if (call) calls.push(call)
  }
  takeRowsBack(own, rows)
  return {
    calls: calls.map(({ operation, args }) =>
      JSON.stringify([operation, args], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ),
    digest: sumOfDigests(takers.map(({ source }) => source.digest())),
    nextRow: own[0]?.nextRow(),
    endedBecause: takers[0]?.pass.endedBecause(),
  }
}

const mix = aPhase({
  name: 'mix',
  stopAfter: { operations: 300 },
  operations: [
    { kind: 'findOne', weight: 3, filter: { _id: { '@key': { distribution: 'zipfian' } } } },
    { kind: 'insertMany', documentsPerCall: 7 },
    { kind: 'insertOne', document: { _id: { '@nextRow': {} } } },
    { kind: 'updateOne', filter: { _id: { '@key': { distribution: 'sequential' } } }, update: { $set: { n: 1 } } },
    { kind: 'deleteOne', filter: { _id: { '@key': { distribution: 'reverse' } } } },
    {
      kind: 'bulkWrite',
      operations: [{ insertOne: {} }, { updateOne: { filter: { _id: { '@key': {} } }, update: { $set: { n: 2 } } } }],
    },
  ],
})

describe('threads that share a pass', () => {
  test.each([2, 3, 5])('%i of them take the same calls as one, with the same digest and rows', (threads) => {
    const alone = takeAll(mix, 1)
    const together = takeAll(mix, threads)
    expect(alone.calls).toHaveLength(300)
    expect(together.calls.toSorted()).toEqual(alone.calls.toSorted())
    expect(together.digest).toBe(alone.digest)
    expect(together.nextRow).toBe(alone.nextRow)
    expect(together.endedBecause).toBe('operations')
  })

  test('have the digest of a phase without threads', () => {
    const { data, phase } = specOf(mix)
    const dataSets = data.map((spec, i) => createDataSet(spec, ['data', i], compileContext))
    const source = compilePhase(phase, ['phases', 0], dataSets, compileContext).calls('measured')
    for (let call = 0; call < 300; call++) source.next()
    expect(takeAll(mix, 3).digest).toBe(source.digest())
  })

  test.each([
    [1000, 7],
    [1000, 1000],
    [10, 64],
  ])('ask for exactly %i documents, %i per call', (documents, documentsPerCall) => {
    const { calls, nextRow, endedBecause } = takeAll(
      aPhase({ stopAfter: { documents }, operations: [{ kind: 'insertMany', documentsPerCall }] }),
      3,
    )
    expect(calls).toHaveLength(Math.ceil(documents / documentsPerCall))
    expect(nextRow).toBe(10 + documents)
    expect(endedBecause).toBe('documents')
  })

  test('count the calls of each operation together where shares of time choose', () => {
    const { calls } = takeAll(
      aPhase({
        stopAfter: { operations: 40 },
        operations: [{ kind: 'insertOne', document: { drawn: { '@uuid': {} } }, share: 1 }],
      }),
      3,
    )
    expect(new Set(calls).size).toBe(40)
  })
})

const twoThreads = (stopAfter: StopAfter): readonly [SharedPass, SharedPass] => {
  const memory = createPassMemory(fakePhase(), 'measured')
  return [openPass(memory, stopAfter), openPass(memory, stopAfter)]
}

const { next } = fakeSource()

test('the seconds are counted from the first call of any thread', () => {
  const [one, other] = twoThreads({ seconds: 2 })
  expect(one.startMs()).toBeUndefined()
  one.start(5000)
  other.start(6000)
  expect(other.startMs()).toBe(5000)
  expect(other.take(6999, next)).toBeDefined()
  expect(other.take(7000, next)).toBeUndefined()
  expect([one.endedBecause(), other.endedBecause()]).toEqual(['seconds', 'seconds'])
})

test.each<EndedBecause>(['aborted', 'everything failed'])('all threads take no more once it is %s', (reason) => {
  const [one, other] = twoThreads({ operations: 10 })
  expect(one.take(0, next)).toBeDefined()
  other.stop(reason)
  expect(one.take(0, next)).toBeUndefined()
  expect(other.endedBecause()).toBe(reason)
})

test('a pass that has sent all it was asked for is complete, even when it is aborted meanwhile', () => {
  const [one, other] = twoThreads({ operations: 1 })
  one.take(0, () => {
    one.order.takeNumber()
    return next(1)
  })
  other.stop('aborted')
  expect(other.take(0, next)).toBeUndefined()
  expect(other.endedBecause()).toBe('operations')
})

test('a call that cannot be built does not keep the others from theirs', () => {
  const [one, other] = twoThreads({ operations: 10 })
  expect(() => one.take(0, () => fail('a bug'))).toThrow('a bug')
  expect(other.take(0, next)).toBeDefined()
})
