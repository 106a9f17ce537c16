import { describe, expect, test } from 'vitest'
import { thresholdVerdicts } from '../../src/metrics/thresholds.ts'
import { type RowChoice, readMetric } from '../../src/metrics/value-of.ts'
import { readResult } from '../../src/results/files/results-file.ts'
import { fail } from '../fakes/fail.ts'

const oneRow = await readResult('fixtures/invented-results/quickstart.json')
const batches = await readResult('fixtures/invented-results/insert-batch-size.json')

test('a figure is the one that a threshold on the same address is held against', () => {
  const [verdict] = thresholdVerdicts(oneRow, ['findOne.p99Ms < 1'])
  expect(readMetric(oneRow, 'findOne.p99Ms')).toBe(verdict?.measured)
  expect(readMetric(oneRow, 'mix.findOne.p99Ms')).toBe(verdict?.measured)
})

test('of several runs it is the median', () => {
  const [row = fail('no row')] = oneRow.variants
  const [phase = fail('no phase')] = row.phases
  const lasting = (wallSeconds: number, run: number) => ({ ...row, run, phases: [{ ...phase, wallSeconds }] })
  const result = { ...oneRow, variants: [lasting(1, 0), lasting(30, 1), lasting(7, 2)] }
  expect(readMetric(result, 'wallSeconds')).toBe(7)
})

test('a row is chosen by its label, or by values of its parameters', () => {
  const byLabel = ['batch 1', 'batch 10', 'batch 100', 'batch 1000', 'batch 2000'].map((label) =>
    readMetric(batches, 'meanMs', label),
  )
  expect(new Set(byLabel).size).toBe(5)
  expect(readMetric(batches, 'meanMs', { batch: 1000 })).toBe(readMetric(batches, 'meanMs', 'batch 1000'))
  expect(readMetric(batches, 'meanMs', { batch: 1000, workers: 48 })).toBe(readMetric(batches, 'meanMs', 'batch 1000'))
})

test('what was not measured is null', () => {
  const variants = oneRow.variants.map((row) => ({
    ...row,
    phases: row.phases.map((phase) => ({ ...phase, members: [] })),
  }))
  expect(readMetric({ ...oneRow, variants }, 'mix.cpuPercent')).toBeNull()
})

describe('what there is not, or several times, is a problem that names the nearest', () => {
  test.each<[string, RowChoice | undefined, string]>([
    ['findOne.p99ms', undefined, 'figure-metric-unknown'],
    ['findone.p99Ms', undefined, 'figure-place-unknown'],

    ['meanMs', undefined, 'figure-of-several-rows'],
    ['meanMs', { workers: 48 }, 'figure-of-several-rows'],
    ['meanMs', { btach: 1000 }, 'figure-parameter-unknown'],
    ['meanMs', { batch: 3 }, 'figure-row-unknown'],
    ['meanMs', 'batch1000', 'figure-label-unknown'],
  ])('%s of %j', (address, row, code) =>
    expect(() => readMetric(address.startsWith('f') ? oneRow : batches, address, row)).toSay(code),
  )

  test('of a metric that is a text', () =>
    expect(() => readMetric(oneRow, 'findOne.mostFrequentError')).toThrow('is not a number'))
})
