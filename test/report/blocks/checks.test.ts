import { expect, test } from 'vitest'
import { checkBlocks } from '../../../src/report/blocks/checks.ts'
import { blocksMarkdown } from '../../../src/report/markdown/render.ts'
import { type CheckResult } from '../../../src/results/schema.ts'
import { fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const violated = (...evidence: readonly string[]): CheckResult => ({
  name: 'survive',
  kind: 'acknowledgedWritesSurvive',
  status: 'violated',
  reason: null,
  measures: {},
  evidence: [...evidence],
})

const remarkOn = (check: CheckResult) =>
  blocksMarkdown(checkBlocks(fakeResult({ variants: [fakeVariant({ checks: [check] })] })))
    .split('\n')
    .find((line) => line.startsWith('- '))

test('of a check that was violated the first examples are shown, and how many more there are', () => {
  const texts = Array.from({ length: 10 }, (_, id) => `the document ${id} is missing`)
  expect(remarkOn(violated(...texts))).toSay('check-examples', { more: 7 })
  expect(remarkOn(violated(...texts.slice(0, 3)))).toMatch(/document 2 is missing\.$/)
})

test('equal examples are shown once', () =>
  expect(remarkOn(violated('the sum is 99', 'the sum is 99', 'the sum is 99'))).toBe('- survive: the sum is 99.'))
