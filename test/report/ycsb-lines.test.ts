import { expect, test } from 'vitest'
import { ycsbLines } from '../../src/report/formats/ycsb-lines.ts'
import { type PhaseResult } from '../../src/results/schema.ts'
import { type OperationResult } from '../../src/results/schema/calls.ts'
import { fakeLatency, fakeOperationResult } from '../fakes/fake-phase-result.ts'
import { fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'

const operation = (name: string, ok: number, more: Partial<OperationResult> = {}): OperationResult =>
  fakeOperationResult({
    name,
    ok,
    documents: ok,
    latency: { ok: fakeLatency(ok, 2), failed: null, unknown: null },
    ...more,
  })

const linesOf = (operations: OperationResult[], phase: Partial<PhaseResult> = {}): readonly string[] =>
  ycsbLines(
    fakeResult({ variants: [fakeVariant({ phases: [fakePhase({ operations, wallSeconds: 4, ...phase })] })] }),
  ).split('\n')

test('a phase is printed as YCSB prints it', () => {
  expect(linesOf([operation('read', 1000)])).toEqual([
    '[OVERALL], RunTime(ms), 4000',
    '[OVERALL], Throughput(ops/sec), 250.0',
    '[READ], Operations, 1000',
    '[READ], AverageLatency(us), 2000.0',
    '[READ], MinLatency(us), 2000',
    '[READ], MaxLatency(us), 2000',
    '[READ], 50thPercentileLatency(us), 2000',
    '[READ], 95thPercentileLatency(us), 2000',
    '[READ], 99thPercentileLatency(us), 2000',
    '[READ], Return=OK, 1000',
    '',
  ])
})

test('the two calls of a read-modify-write count as a read and an update too', () => {
  const step = (name: string) => ({ ...operation(name, 300), skipped: 0 })
  const lines = linesOf([
    operation('read', 700),
    operation('readModifyWrite', 300, { steps: [step('read'), step('update')] }),
  ])
  expect(lines).toContain('[OVERALL], Throughput(ops/sec), 250.0')
  expect(lines).toContain('[READ], Operations, 1000')
  expect(lines).toContain('[READ], Return=OK, 1000')
  expect(lines).toContain('[UPDATE], Operations, 300')
  expect(lines).toContain('[READ-MODIFY-WRITE], Operations, 300')
  expect(lines.filter((line) => line.startsWith('[READ-MODIFY-WRITE], Return'))).toEqual([])
})

test('misses and failures have their own codes, and count as failed', () => {
  const failing = { failed: 2, unknown: 1, documents: 90 }
  const latency = { ok: fakeLatency(100, 2), failed: fakeLatency(2, 7), unknown: fakeLatency(1, 9) }
  const lines = linesOf([operation('read', 100, { ...failing, latency })])
  expect(lines).toContain('[READ], Operations, 90')
  expect(lines).toContain('[READ], Return=OK, 90')
  expect(lines).toContain('[READ], Return=NOT_FOUND, 10')
  expect(lines).toContain('[READ], Return=ERROR, 3')
  expect(lines).toContain('[READ-FAILED], Operations, 13')
  expect(lines).toContain('[READ-FAILED], MaxLatency(us), 9000')
  expect(lines).toContain('[OVERALL], Throughput(ops/sec), 25.75')
})

test('an update that matched nothing is not found, also inside of a read-modify-write', () => {
  const update = { kind: 'updateOne', documents: 80 }
  const half = { ...operation('update', 50, { ...update, matched: 45 }), skipped: 0 }
  const operations = [
    operation('update', 100, { ...update, matched: 80 }),
    operation('readModifyWrite', 50, { kind: 'steps', steps: [half] }),
  ]
  expect(linesOf(operations).filter((line) => /UPDATE.*(Return|Operations)/.test(line))).toEqual([
    '[UPDATE], Operations, 125',
    '[UPDATE], Return=OK, 125',
    '[UPDATE], Return=NOT_FOUND, 25',
    '[UPDATE-FAILED], Operations, 25',
  ])
  expect(linesOf(operations, { writeConcern: { w: 0 } })).toContain('[UPDATE], Return=OK, 150')
})

test.each([
  [0, '0.0'],
  [0.0005, '5.0E-4'],
  [1234.5, '1234.5'],
  [12_345_678, '1.2345678E7'],
])('a throughput of %s is printed as Java prints it', (opsPerSecond, text) => {
  const lines = linesOf([operation('read', 1)], { wallSeconds: opsPerSecond === 0 ? 0 : 1 / opsPerSecond })
  expect(lines).toContain(`[OVERALL], Throughput(ops/sec), ${text}`)
})

test('what was never called has no lines', () => {
  const never = operation('insert', 0, { latency: { ok: null, failed: null, unknown: null } })
  expect(linesOf([operation('read', 1), never]).filter((line) => line.startsWith('[INSERT]'))).toEqual([])
})

const variant = (label: string, run: number) => fakeVariant({ label, run, phases: [fakePhase({ name: 'run' })] })

test('a comment stands before each of several rows and runs', () => {
  const text = ycsbLines(fakeResult({ variants: [variant('one', 1), variant('two', 1), variant('two', 2)] }))
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual([
    '# one, run 1, run',
    '# two, run 1, run',
    '# two, run 2, run',
  ])
})

test('a comment is one line, also of a label with a line break', () => {
  const text = ycsbLines(fakeResult({ variants: [variant('one\n[READ], Operations, 9', 1), variant('two', 1)] }))
  expect(text.split('\n')[0]).toBe(String.raw`# one\n[READ], Operations, 9, run 1, run`)
})
