import { expect, test } from 'vitest'
import { followsTheRules, quickLimits, resolveLimits, rules } from '../../src/micro/task.ts'

test('by default the limits are those of the specification', () => {
  expect(resolveLimits(false, {})).toEqual({ minSeconds: 60, maxSeconds: 300, iterations: 100 })
  expect(followsTheRules(resolveLimits(false, {}))).toBe(true)
})

test('quick and other limits are not those of the specification', () => {
  expect(resolveLimits(true, { iterations: 3 })).toEqual({ ...quickLimits, iterations: 3 })
  expect(followsTheRules(resolveLimits(true, {}))).toBe(false)
  expect(followsTheRules(resolveLimits(false, { maxSeconds: 299 }))).toBe(false)
  expect(followsTheRules(resolveLimits(false, { ...rules }))).toBe(true)
})

test('a minimum time above the maximum time is rejected', () =>
  expect(() => resolveLimits(false, { maxSeconds: 10 })).toSay('micro-limits-crossed', { max: 10 }))
