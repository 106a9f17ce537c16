import { expect, test } from 'vitest'
import { renderReport } from '../../../src/report/report.ts'
import { storedResult } from '../../fakes/stored-results.ts'

test('the chart of a spec that asks for none has a line of its own for each operation', () => {
  const result = storedResult('quickstart')
  result.spec.report = {}

  const [chart] = renderReport(result).charts
  const lines = chart?.configuration.chart.data.datasets.map(({ data }) => JSON.stringify(data)) ?? []

  expect(lines.length).toBeGreaterThan(1)
  expect(new Set(lines).size).toBe(lines.length)
})
