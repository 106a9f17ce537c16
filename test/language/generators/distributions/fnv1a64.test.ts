import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fnv1a64 } from '../../../../src/language/generators/distributions/fnv1a64.ts'
import { forAll } from '../../../fakes/for-all.ts'

const hash = new Fnv1a64()

/** The definition, word for word, in bigints. */
function byDefinition(octets: Iterable<number>): bigint {
  let value = 0xcbf29ce484222325n
  for (const octet of octets) value = BigInt.asUintN(64, (value ^ BigInt(octet)) * 0x100000001b3n)
  return value
}

const octetsOf = (n: number): Uint8Array => {
  const octets = Buffer.alloc(8)
  octets.writeBigUInt64LE(BigInt(n))
  return octets
}

// Published with the hash: draft-eastlake-fnv, "Test Vectors", and the test suite of its authors.
test.each([
  ['', 0xcbf29ce484222325n],
  ['a', 0xaf63dc4c8601ec8cn],
  ['b', 0xaf63df4c8601f1a5n],
  ['foobar', 0x85944171f73967e8n],
  ['chongo was here!\n', 0x46810940eff5f915n],
])('the hash of %j is the published one', (text, value) => {
  hash.reset()
  for (const octet of Buffer.from(text)) hash.add(octet)
  expect(hash.value()).toBe(value)
})

/** Numbers whose hash has an empty low half, where taking the sign away carries into the high one. Found by trying. */
const carrying = [2251799952232125, 281475332372653]

const numbers = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1))
const counts = fc.oneof(
  fc.integer({ min: 1, max: 1000 }),
  fc.integer({ min: 1, max: 2 ** 53 - 1 }),
  fc.constantFrom(1, 2 ** 31, 2 ** 32, 2 ** 37 - 1, 2 ** 37, 2 ** 37 + 1, 2 ** 40),
)

test('the hash of a number is that of its eight octets, the lowest first', () =>
  forAll(numbers, (n) => {
    expect(hash.ofNumber(n).value()).toBe(byDefinition(octetsOf(n)))
  }))

describe('modulo a count', () => {
  test("is Java's Math.abs(hash) % count, exactly", () =>
    forAll(numbers, counts, (n, count) => {
      const signed = BigInt.asIntN(64, byDefinition(octetsOf(n)))
      const magnitude = signed < 0n ? -signed : signed
      expect(hash.ofNumber(n).magnitudeModulo(count)).toBe(Number(magnitude % BigInt(count)))
    }))

  test.each(carrying)('carries from one half into the other: %i', (n) => {
    const hashed = BigInt.asIntN(64, byDefinition(octetsOf(n)))
    expect([hashed < 0n, BigInt.asUintN(32, hashed)]).toEqual([true, 0n])
    expect(hash.ofNumber(n).magnitudeModulo(1000)).toBe(Number(-hashed % 1000n))
  })

  test('leaves the hash as it was', () =>
    expect(hash.ofNumber(12_345).magnitudeModulo(1000)).toBe(hash.magnitudeModulo(1000)))
})
