import { expect, test } from 'vitest'
import { listRows } from '../../../src/metrics/rows/rows.ts'
import { judge, judgeTogether, trustText } from '../../../src/metrics/trust/judge.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { fakeFault } from '../../fakes/fake-faults.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

type Given = Partial<PhaseResult>

const warned = (...codes: readonly string[]): Given => ({
  warnings: codes.map((code) => ({ code, message: 'Look', advice: '' })),
})
const busy = (eventLoopUtilization: number): Given => ({
  client: { ...fakePhase().client, saturated: true, eventLoopUtilization },
})
const failing = (failed: number): Given => ({
  operations: [fakeOperation({ ok: 1000 - failed, failed, errors: [error] })],
})
const error = { code: '1', name: 'E', outcome: 'failed' as const, labels: [], count: 1, message: '' }

/** The trust in a row with one run for each phase. */
function trustIn(...phases: readonly Given[]): string {
  const variants = phases.map((phase, run) => fakeVariant({ run: run + 1, phases: [fakePhase(phase)] }))
  const [row] = listRows(fakeResult({ variants }), 'variants')
  return row === undefined ? '' : trustText(judge(row).trust)
}

test.each<[string, readonly Given[], string]>([
  ['nothing is wrong', [{}, {}, {}], 'comparable'],
  ['one of three had a busy client', [{}, busy(0.9), {}], 'comparable'],
  ['two of three had a busy client', [busy(0.9), {}, busy(0.96)], 'lower bound (client 90 %)'],
  ['one of two had a busy client', [{}, busy(0.9)], 'comparable'],
  ['all three differ', [{}, busy(0.9), failing(100)], 'lower bound (client 90 %)'],
  ['most had errors', [failing(30), busy(0.9), failing(50)], 'do not compare (errors 3 %)'],
  ['the only run had a busy client', [busy(1)], 'lower bound (client 100 %)'],
])('a row is judged by most of its runs %s', (_, phases, expected) => expect(trustIn(...phases)).toBe(expected))

test('the worst of its warnings decides about a run', () =>
  expect(trustIn({ ...busy(0.97), ...warned('not-cached', 'client-limited') })).toSay('trust-not-cached'))

test('the reason of a row is the worst one, as in its notes, and not the most frequent one', () => {
  const short = fakePhase({ ...warned('short-window'), wallSeconds: 0.4 })
  const loaded = { ...short, name: 'loaded', ...warned('short-window', 'not-cached') }
  const result = fakeResult({ variants: [fakeVariant({ phases: [short, loaded] })] })
  expect(listRows(result, 'variants').map((row) => trustText(judge(row).trust))).toEqual([
    'do not compare (not cached)',
  ])
})

test.each(['drifting', 'unsettled', 'checkpoint', 'event-loop-delay', 'short-window', 'of-the-future'])(
  'a remark leaves a row comparable: %s',
  (code) => expect(trustIn(warned(code))).toBe('comparable'),
)

test('errors of less than 1 % are a remark, and so are errors during faults', () => {
  expect(trustIn(failing(9))).toBe('comparable')
  expect(trustIn({ ...failing(500), faults: [fakeFault('kill')] })).toBe('comparable')
})

const short = (given: Given): Given => ({ ...warned('short-window'), ...given })
const calls = (ok: number, documents: number) => [fakeOperation({ ok, documents })]

test('a window with fewer than 100 calls cannot be compared, however many documents they carry', () => {
  expect(trustIn(short({ operations: calls(17, 17_000) }))).toSay('trust-window-short')
  expect(trustIn(short({ operations: calls(100, 100) }))).toBe('comparable')
})

test('a window below a second cannot be compared, however many calls it has', () =>
  expect(trustIn(short({ wallSeconds: 0.4, operations: calls(9000, 9000) }))).toSay('trust-window-short'))

test('a row is not comparable on the strength of a load of others that is unknown', () => {
  expect(trustIn(warned('other-load-unknown'))).toBe('unchecked (other programs unknown)')
  expect(trustIn({ ...busy(0.9), ...warned('other-load-unknown') })).toBe('lower bound (client 90 %)')
})

test('rows that one row of a table shows side by side are as bad as the worst of them', () => {
  const variants = [
    fakeVariant({ row: 0, phases: [fakePhase({})] }),
    fakeVariant({ row: 1, phases: [fakePhase(busy(0.9))] }),
  ]
  const rows = listRows(fakeResult({ variants }), 'variants').map((row) => judge(row))
  expect(trustText(judgeTogether(rows).trust)).toBe('lower bound (client 90 %)')
})

test('a table of runs has the level of each', () => {
  const variants = [{}, busy(0.9), failing(1000)].map((phase, index) =>
    fakeVariant({ run: index + 1, startUp: index === 0, phases: [fakePhase(phase)] }),
  )
  expect(listRows(fakeResult({ variants }), 'runs').map((row) => trustText(judge(row).trust))).toSay('trust-of-runs')
})
