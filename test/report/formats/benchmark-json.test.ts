import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { actionBenchmarks, bencherMetrics } from '../../../src/report/formats/benchmark-json.ts'
import { around, resultWith } from '../../fakes/compared-results.ts'
import { storedResult, storedResults } from '../../fakes/stored-results.ts'

const number = { type: 'number' }

/** The schema of its format that Bencher publishes. */
const bmf = {
  type: 'object',
  patternProperties: {
    '.+': {
      type: 'object',
      patternProperties: {
        '.+': {
          type: 'object',
          properties: { value: number, lower_value: number, upper_value: number },
          required: ['value'],
        },
      },
    },
  },
}

/** The fields of each entry that github-action-benchmark reads. */
const entries = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      unit: { type: 'string' },
      value: number,
      range: { type: 'string' },
      extra: { type: 'string' },
    },
    required: ['name', 'unit', 'value'],
    additionalProperties: false,
  },
}

const ajv = new Ajv({ strict: false })
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test.each(storedResults)('the result %s has the published forms', (name) => {
  const result = storedResult(name)
  expect([ajv.validate(bmf, json(bencherMetrics([result]))), ajv.errors]).toEqual([true, null])
  for (const better of ['higher', 'lower'] as const) {
    const written = actionBenchmarks([result], better)
    expect([ajv.validate(entries, json(written)), ajv.errors]).toEqual([true, null])
    const names = new Set(written.map((entry) => (entry as { readonly name: string }).name))
    // Of an invented result, two rows have no label.
    expect(names.size).toBe(name === 'failover' ? written.length / 2 : written.length)
  }
})

test('each metric is in the list of its better direction, with the spread of its runs', () => {
  const result = resultWith({ 'batch 10': around(1000), 'batch 20': [500] })
  const { name } = result.spec
  const [bigger, single] = actionBenchmarks([result], 'higher')
  expect(bigger).toMatchObject({
    name: `${name}, batch 10: read: Throughput (ops/s)`,
    unit: 'ops/s',
    range: expect.stringMatching(/^± \d/),
    extra: 'median of 8 runs',
  })
  expect(single).toEqual({
    name: `${name}, batch 20: read: Throughput (ops/s)`,
    unit: 'ops/s',
    value: 500,
    extra: 'median of 1 run',
  })
  const smaller = actionBenchmarks([result], 'lower').map((entry) => (entry as { readonly unit: string }).unit)
  expect(smaller.length).toBeGreaterThan(0)
  expect(smaller).not.toContain('ops/s')
  const { [`${name}, batch 10`]: measures, [`${name}, batch 20`]: ofOne } = bencherMetrics([result])
  expect(ofOne?.['opsPerSecond']).toEqual({ value: 500 })
  const { value = 0, lower_value: low = 0, upper_value: high = 0 } = measures?.['opsPerSecond'] ?? {}
  expect(low).toBeLessThan(value)
  expect(high).toBeGreaterThan(value)
})
