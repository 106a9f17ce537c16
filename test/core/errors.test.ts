import { expect, test } from 'vitest'
import { renderExitCodes } from '../../docs/generator/exit-codes.ts'
import { describeErrorCode, bySeverity, exitCodes, Problem, worseExit } from '../../src/core/errors.ts'

const codes = Object.keys(exitCodes).map(Number)

test('of two ends the worse one is seen, whichever came first', () => {
  expect([worseExit(7, 6), worseExit(6, 7)]).toEqual([6, 6])
  expect([worseExit(4, 5), worseExit(5, 4)]).toEqual([5, 5])
})

test('every end is worse than a good one, and none is worse than an abort', () => {
  for (const code of codes) {
    expect(worseExit(code, 0)).toBe(code)
    expect(worseExit(130, code)).toBe(130)
  }
})

test('the reference lists the codes in order of severity, with every code in it', () => {
  expect(bySeverity.toSorted((a, b) => a - b)).toEqual(codes)
  const sentences = renderExitCodes().split(/(?<=\.) /)
  expect(sentences).toHaveLine('exit-codes-by-severity', { codes: bySeverity.join(', ') })
})

test('an error is shown by its code, and by its own words where it has none', () => {
  expect(describeErrorCode(Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' }))).toBe(
    'ENOSPC',
  )
  expect(describeErrorCode(new Error('Method not implemented.'))).toBe('Method not implemented.')
  expect(describeErrorCode(Object.assign(new Error('odd'), { code: 7 }))).toBe('odd')
  expect(describeErrorCode('a text')).toBe('a text')
})

test('a test runner that prints nothing but the stack shows the hint, once', () => {
  const hint = 'Run again: $& is no pattern.'
  expect(new Problem('aborted', 'Stopped', { hint }).stack).toMatch(
    /^Problem: Stopped\nRun again: \$& is no pattern\.\n +at /,
  )
  expect(new Problem('aborted', `Stopped\n${hint}`, { hint }).stack?.split(hint)).toHaveLength(2)
})
