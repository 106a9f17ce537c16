import { expect, test } from 'vitest'
import type { VariantResult } from '../../src/results/schema.ts'
import { reasonToEnd } from '../../src/run/benchmark.ts'
import { fail } from '../fakes/fail.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'

const run = (row: number, round: number, wallSeconds: number, given: Partial<VariantResult> = {}) =>
  fakeVariant({ row, run: round, label: `row ${row}`, phases: [fakePhase({ wallSeconds })], ...given })

const aborting = [{ holds: 'wallSeconds < 5', abort: true }]

/** What is said after the last of these runs. */
function reasonAfter(variants: readonly VariantResult[], thresholds = aborting): string | undefined {
  const last = variants.at(-1) ?? fail('no run')
  return reasonToEnd(fakeResult({ variants: [...variants] }), last, thresholds)?.message
}

test('a row that misses a threshold with "abort" ends the run, with the figure', () => {
  const missed = { threshold: 'wallSeconds < 5', row: 'row 1', measured: 6 }
  expect(reasonAfter([run(0, 1, 4), run(1, 1, 6)])).toSay('run-ended-early', missed)
})

test('a row that holds does not, whatever others have missed', () => {
  expect(reasonAfter([run(0, 1, 6), run(1, 1, 4)])).toBeUndefined()
})

test('a threshold without "abort" ends nothing', () => {
  expect(reasonAfter([run(0, 1, 6)], [{ holds: 'wallSeconds < 5', abort: false }])).toBeUndefined()
})

test('of repeats the median so far decides, start-up runs aside', () => {
  expect(reasonAfter([run(0, 1, 99, { startUp: true })])).toBeUndefined()
  expect(reasonAfter([run(0, 1, 3), run(0, 2, 4), run(0, 3, 99)])).toBeUndefined()
})

const atSpeed = (row: number, each: number) =>
  run(row, 1, 10, { phases: [fakePhase({ machineSpeed: { before: each, after: each } })] })

test('the speed of the machine is judged after the row too, by the runs so far', () => {
  const threshold = 'machineSpeedPercent >= 90'
  const atLast = (speed: number) =>
    reasonAfter([atSpeed(0, 100), atSpeed(1, 100), atSpeed(2, speed)], [{ holds: threshold, abort: true }])
  expect(atLast(91)).toBeUndefined()
  expect(atLast(80)).toSay('run-ended-early', { threshold, row: 'row 2', measured: 80 })
})

test('a run that was cut short is judged by itself', () => {
  const errors = [{ holds: 'errors == 0', abort: true }]
  const cut = run(0, 2, 1, { status: 'aborted', phases: [fakePhase({ operations: [fakeOperation({ failed: 3 })] })] })
  expect(reasonAfter([run(0, 1, 4), cut], errors)).toSay('run-ended-early', {
    threshold: 'errors == 0',
    row: 'row 0',
    measured: 3,
  })
})
