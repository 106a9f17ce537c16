import { expect, test } from 'vitest'
import { followsTheRules, quickLimits, resolveLimits, rules } from '../../src/micro/limits.ts'

test('without wishes the limits are those of the specification', () => {
  expect(resolveLimits(false, {})).toEqual({ minSeconds: 60, maxSeconds: 300, iterations: 100 })
  expect(followsTheRules(resolveLimits(false, {}))).toBe(true)
})

test('a quick look and every other wish is not by the rules', () => {
  expect(resolveLimits(true, { iterations: 3 })).toEqual({ ...quickLimits, iterations: 3 })
  expect(followsTheRules(resolveLimits(true, {}))).toBe(false)
  expect(followsTheRules(resolveLimits(false, { maxSeconds: 299 }))).toBe(false)
  expect(followsTheRules(resolveLimits(false, { ...rules }))).toBe(true)
})

test('a least time above the most time is refused', () => {
  expect(() => resolveLimits(false, { maxSeconds: 10 })).toThrow('The least time is 60 s and the most time 10 s')
})
