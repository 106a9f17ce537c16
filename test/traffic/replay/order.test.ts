import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOrder, nothing, type Ordered } from '../../../src/traffic/replay/order.ts'

type Numbered = Ordered & { readonly number: number }

const maybe = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined })
const keys = fc.record({
  slot: fc.nat(3),
  session: maybe(fc.nat(3)),
  cursor: maybe(fc.bigInt({ min: 1n, max: 3n })),
})

test('calls keep the order of their connection, session and cursor, whatever ends first, and all begin', () => {
  const property = fc.property(fc.array(keys, { maxLength: 60 }), fc.infiniteStream(fc.nat()), (given, choices) => {
    const running: Numbered[] = []
    const begun: Numbered[] = []
    const order = createOrder<Numbered>((call) => {
      for (const key of ['slot', 'session', 'cursor'] as const)
        expect(running.filter((other) => call[key] !== undefined && other[key] === call[key])).toEqual([])
      running.push(call)
      begun.push(call)
    })
    const endOne = (): void => {
      const at = (choices.next().value ?? 0) % running.length
      for (const call of running.splice(at, 1)) order.end(call)
    }
    for (const [number, one] of given.entries()) {
      order.add({ ...one, number, ahead: 0, behind: nothing })
      if (running.length > 0 && (choices.next().value ?? 0) % 3 === 0) endOne()
    }
    while (running.length > 0) endOne()
    expect(begun).toHaveLength(given.length)
    for (const key of ['slot', 'session', 'cursor'] as const)
      for (const value of new Set(given.map((one) => one[key]).filter((one) => one !== undefined))) {
        const numbers = begun.filter((call) => call[key] === value).map(({ number }) => number)
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
      }
  })
  fc.assert(property)
  expect.hasAssertions()
})
