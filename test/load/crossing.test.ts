import { Binary, Decimal128, Double, ObjectId, Timestamp } from 'bson'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { packError, unpackError } from '../../src/load/threads/messages.ts'
import { clockWithOrigin, measureOrigin } from '../../src/load/threads/thread-clock.ts'
import { packSamples, unpackSamples } from '../../src/run/threads/thread-work.ts'
import { plansOf } from '../fakes/a-plan.ts'
import { oneRow } from '../fakes/a-spec.ts'
import { fail } from '../fakes/fail.ts'
import { fakeClock } from '../fakes/fake-clock.ts'

const dataSet = () => plansOf(oneRow()).dataSets[0] ?? fail('no data set')

test('samples keep the types of their values', () => {
  const values = [
    1,
    -0.5,
    new Double(3),
    2n ** 40n,
    'text',
    null,
    true,
    new Date(5),
    new ObjectId('0123456789abcdef01234567'),
    Decimal128.fromString('1.50'),
    new Timestamp({ t: 1, i: 2 }),
    new Binary(new Uint8Array([1, 2, 3])),
    { a: [1, 2n, { b: new Double(1) }] },
  ]
  const [here, there] = [dataSet(), dataSet()]
  here.keepSamples('a.b', values)
  const packed = structuredClone(packSamples([here], new Map([[here.spec.collection, new Set(['a.b'])]])))
  unpackSamples([there], packed)
  expect(there.samples('a.b')).toEqual(values)
})

describe('an error', () => {
  test('that we can explain is still a problem', () => {
    const problem = new Problem('target-unreachable', 'Not there', { hint: 'Start it.' })
    const there = unpackError(structuredClone(packError(problem)))
    expect(there).toBeInstanceOf(Problem)
    const { code, message, hint } = problem
    expect(there).toMatchObject({ code, message, hint })
  })

  test('that is a bug keeps its name and stack', () => {
    const bug = new RangeError('out of range')
    const there = unpackError(structuredClone(packError(bug)))
    expect(there).not.toBeInstanceOf(Problem)
    expect(there).toMatchObject({ name: 'RangeError', message: 'out of range', stack: bug.stack })
  })
})

test('a clock of another thread shows what that of the main thread shows', () => {
  let processMs = 1e9
  const read = (): number => (processMs += 0.001)
  const main = { ...fakeClock(), now: () => processMs - 400 }
  const own = { ...fakeClock(), now: () => processMs - 900_000 }
  const clock = clockWithOrigin(measureOrigin(main, read), own, read)
  expect(clock.now()).toBeCloseTo(main.now(), 2)
})
