import { describe, expect, test } from 'vitest'
import { computeAvailability } from '../../../src/load/measure/availability.ts'
import { type FaultImpact } from '../../../src/load/measure/fault-impact.ts'
import { type ElectionWatch, type FaultResult } from '../../../src/results/schema/faults.ts'
import { fakeAvailability, fakeElections, fakeFault, fakeLasting, fakeOccurrence } from '../../fakes/fake-faults.ts'

const after = (fault: string, occurrence = 0): FaultImpact => fakeAvailability(fault, { occurrence })

/** The times to a new primary, in the order in which the faults began. */
function newPrimaries(
  calls: readonly FaultImpact[],
  faults: readonly FaultResult[],
  elections: ElectionWatch | null,
): readonly (number | null)[] {
  return computeAvailability(calls, { faults: [...faults], elections }).map(({ newPrimaryMs }) => newPrimaryMs)
}

const one = (fault: FaultResult, elections: ElectionWatch | null) =>
  newPrimaries([after(fault.name)], [fault], elections)

describe('the time to a new primary', () => {
  test('ends when another member calls itself primary', () => {
    const seen = fakeElections({ 0: ['member0', 1], 10.25: [null], 21.5: ['member1', 2], 30: ['member0', 3] })
    expect(one(fakeFault('kill', fakeLasting(10, 25)), seen)).toEqual([11_500])
  })

  test('needs no time in which nobody was seen', () => {
    const seen = fakeElections({ 0: ['member0', 1], 10.5: ['member1', 2] })
    expect(one(fakeFault('stepDown', fakeOccurrence(10)), seen)).toEqual([500])
  })

  test('ends when the same member is elected again, which its term tells', () => {
    const seen = fakeElections({ 0: ['member0', 1], 16: ['member0', 2] })
    expect(one(fakeFault('pause', fakeLasting(10, 16)), seen)).toEqual([6000])
  })

  test('is that of the fault that ended the primary, also where another follows before the election', () => {
    const faults = [fakeFault('kill', fakeLasting(30, 34)), fakeFault('delay', fakeLasting(35, 45))]
    const seen = fakeElections({ 0: ['member0', 1], 29.95: [null], 41: ['member1', 2] })
    expect(newPrimaries([after('kill')], faults, seen)).toEqual([11_000])
  })

  test('is that of the fault that ended the primary, not of one before it', () => {
    const faults = [fakeFault('delay', fakeLasting(10, 20)), fakeFault('kill', fakeLasting(30, 40))]
    const seen = fakeElections({
      0: ['member0', 1],
      // Not heard of for a moment, while it was only slow.
      12: [null],
      12.3: ['member0', 1],
      // Dated to the last question that it did not answer, which was asked before it was killed.
      29.95: [null],
      41: ['member1', 2],
    })
    expect(newPrimaries([after('delay'), after('kill')], faults, seen)).toEqual([null, 11_000])
  })

  test('is none where the primary stayed, was only not heard of for a moment, or nobody was elected', () => {
    const fault = fakeFault('kill', fakeLasting(10, 20))
    expect(one(fault, fakeElections({ 0: ['member0', 1] }))).toEqual([null])
    const back = fakeElections({ 0: ['member0', 1], 11: [null], 12: ['member0', 1] })
    expect(one(fault, back)).toEqual([null])
    const gone = fakeElections({ 0: ['member0', 1], 11: [null] })
    expect(one(fault, gone)).toEqual([null])
    expect(one(fault, null)).toEqual([null])
  })

  test('counts from a fault that found no primary until there is one', () => {
    const fault = fakeFault('kill', fakeLasting(10, 20, { primaryBefore: null, termBefore: null }))
    const seen = fakeElections({ 0: [null], 12: ['member2', 4] })
    expect(one(fault, seen)).toEqual([2000])
  })

  test('does not end when a primary that was not heard of as the fault began is heard of again', () => {
    const fault = fakeFault('delay', fakeLasting(10, 20, { primaryBefore: null, termBefore: 1 }))
    const silent = { 0: ['member0', 1], 9.4: [null], 10.3: ['member0', 1] } as const
    expect(one(fault, fakeElections(silent))).toEqual([null])
    expect(one(fault, fakeElections({ ...silent, 12: [null], 15: ['member1', 2] }))).toEqual([5000])
  })

  test('belongs to the fault that came last before the primary was gone, though another one begins meanwhile', () => {
    const faults = [
      fakeFault('killSecondary', fakeLasting(5, 40, { targets: ['member2'] })),
      fakeFault('kill', fakeLasting(10, 25)),
      fakeFault('latency', fakeOccurrence(15, { primaryBefore: null })),
    ]
    const seen = fakeElections({ 0: ['member0', 1], 10.2: [null], 20: ['member1', 2] })
    const calls = ['killSecondary', 'kill', 'latency'].map((name) => after(name))
    expect(newPrimaries(calls, faults, seen)).toEqual([null, 10_000, 5000])
  })

  test('is told of each time that a fault happened', () => {
    const fault = fakeFault(
      'stepDown',
      fakeOccurrence(10),
      fakeOccurrence(30, { primaryBefore: 'member1', termBefore: 2 }),
    )
    const seen = fakeElections({ 0: ['member0', 1], 10.5: ['member1', 2], 30.25: ['member0', 3] })
    expect(newPrimaries([after('stepDown'), after('stepDown', 1)], [fault], seen)).toEqual([500, 250])
  })
})

test('a fault of which the result does not tell has its other numbers all the same', () =>
  expect(computeAvailability([after('kill')], { faults: [], elections: null })).toEqual([fakeAvailability('kill')]))
