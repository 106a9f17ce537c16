import { Decimal128 } from 'bson'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalUnits, isDecimalText, toDecimal128 } from '../../../src/language/generators/decimal.ts'
import { forAll } from '../../fakes/for-all.ts'

describe('a decimal128 by its bytes', () => {
  const digits = fc.nat(34)
  test('is the one that bson reads from a text', () => {
    const limit = 10n ** 34n - 1n
    forAll(fc.bigInt({ min: -limit, max: limit }), digits, (units, decimals) => {
      expect(toDecimal128(units, decimals).bytes).toEqual(new Decimal128(`${units}E-${decimals}`).bytes)
    })
  })

  test('is the same of a double and of a bigint', () => {
    const whole = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 1, -1, 2 ** 32, -(2 ** 32), 2 ** 53 - 1))
    forAll(whole, digits, (units, decimals) => {
      expect(toDecimal128(units, decimals).bytes).toEqual(toDecimal128(BigInt(units), decimals).bytes)
    })
  })
})

test.each<[string, number, bigint | undefined]>([
  ['12.5', 2, 1250n],
  ['-12.50', 1, -125n],
  ['-.5', 1, -5n],
  ['1e3', 0, 1000n],
  ['1e-7', 8, 10n],
  ['+0', 2, 0n],
  ['0.001', 2, undefined],
  ['0.001', 3, 1n],
  ['9999999999999999999999999999999999', 0, 9999999999999999999999999999999999n],
  ['10000000000000000000000000000000000', 0, undefined],
  ['99999999999999999999999999999999.995', 2, undefined],
  ['-1e34', 0, undefined],
  ['1e9999', 0, undefined],
])('%s is so many units of 10^-%i: %s', (text, digits, units) => expect(decimalUnits(text, digits)).toBe(units))

test.each(['1', '-1.5', '.5', '5.', '1e5', '1.5E-7', '+3'])('%j is a decimal number', (text) =>
  expect(isDecimalText(text)).toBe(true),
)

test.each(['', '.', '-', 'e5', '.e5', 'ten', 'NaN', 'Infinity', '1,5', ' 1', '1e5.5', '0x10', '1e99999'])(
  '%j is none',
  (text) => expect(isDecimalText(text)).toBe(false),
)
