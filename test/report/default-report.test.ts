import { expect, test } from 'vitest'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { createMeasuredTables } from '../../src/report/tables/measured.ts'
import { type TransactionResult } from '../../src/results/schema/calls.ts'
import { fakeOperation, fakePhase, fakeResult, fakeTransactions, fakeVariant } from '../fakes/fake-result.ts'

const titlesOf = (found: number | null): readonly string[] => {
  const operations = [{ ...fakeOperation(), found, missing: found }]
  const result = fakeResult({ variants: [fakeVariant({ phases: [fakePhase({ operations })] })] })
  return createMeasuredTables(evaluateReport(result)).flatMap(({ columns }) => columns.map(({ title }) => title))
}

test('the table of a spec that asks for none shows what reads found, where they expected something', () => {
  expect(titlesOf(5)).toEqual(expect.arrayContaining(['Found', 'Missing']))
  expect(titlesOf(null)).not.toContain('Found')
})

const columnsOf = (phase: Parameters<typeof fakePhase>[0] = {}): readonly string[] => {
  const result = fakeResult({ variants: [fakeVariant({ phases: [fakePhase(phase)] })] })
  return createMeasuredTables(evaluateReport(result))[0]?.columns.map(({ title }) => title) ?? []
}

const titles = (transaction: TransactionResult | null) => {
  const operations = [fakeOperation({ name: 'transfer', transaction }), fakeOperation({ name: 'look' })]
  return createMeasuredTables(
    evaluateReport(fakeResult({ variants: [fakeVariant({ phases: [fakePhase({ operations })] })] })),
  ).map(({ title }) => title)
}

test('transactions have a table of their own', () => {
  expect(titles(fakeTransactions())).toContain('Transactions: transfer')
  expect(titles(fakeTransactions())).not.toContain('Transactions: look')
  expect(titles(null).join()).not.toContain('Transactions')
})

test('it shows how much arrived of what was not acknowledged', () => {
  expect(columnsOf({ unacknowledged: { sent: 5, arrived: 5, waitedMs: 1, reason: null } })).toContain('Arrived (%)')
  expect(columnsOf()).not.toContain('Arrived (%)')
})
