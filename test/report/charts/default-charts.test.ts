import { expect, test } from 'vitest'
import { renderReport } from '../../../src/report/report.ts'
import { fakeOperation, fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { inLight } from '../../fakes/in-light.ts'
import { storedResult } from '../../fakes/stored-results.ts'

test('the chart of a spec that asks for none has a line of its own for each operation', () => {
  const result = storedResult('quickstart')
  result.spec.report = {}

  const [chart] = renderReport(result).charts
  const lines = inLight(chart).chart.data.datasets.map(({ data }) => JSON.stringify(data)) ?? []

  expect(lines.length).toBeGreaterThan(1)
  expect(new Set(lines).size).toBe(lines.length)
})

const many = (operation: string) => fakeOperation({ name: operation, ok: 10, documents: 200 })

/** Title of the default chart of a phase of these operations. */
function titleOf(...operations: readonly string[]): string | undefined {
  const phase = fakePhase({ operations: operations.map(many) })
  return renderReport(fakeResult({ variants: [fakeVariant({ phases: [phase] })] })).charts[0]?.title
}

test('the chart of a mix shows operations, that of a single operation its documents', () => {
  expect(titleOf('find')).toContain('docs/s')
  expect(titleOf('find', 'findOne')).toContain('ops/s')
})
