import { expect, test } from 'vitest'
import { renderReport, tableCsv } from '../../src/report/report.ts'
import { type Table } from '../../src/report/tables/table.ts'
import { aNote } from '../fakes/a-note.ts'
import { storedResult } from '../fakes/stored-results.ts'

const column = { name: 'x', title: 'Plain', unit: '', digits: 0 }
const table: Table = {
  title: 'T',
  columns: [column, { ...column, title: 'With "quotes", commas' }],
  rows: [{ cells: [1234.5678, 'two\nlines'] }, { cells: [null, ''] }],
  judged: [
    { key: '0', runs: ['0/1'], trust: { level: 'comparable', reason: null }, notes: [] },
    {
      key: '1',
      runs: ['1/1', '1/2'],
      trust: { level: 'do not compare', reason: 'errors 3 %' },
      notes: [aNote({ kind: 'short-window' }), aNote({ kind: 'errors' }), aNote({ kind: 'errors', run: '1/2' })],
    },
  ],
  remarks: [],
  isTransposed: false,
}

test('fields with quotes, commas or line breaks are quoted, and records end with CRLF', () =>
  expect(tableCsv(table)).toBe(
    'Plain,"With ""quotes"", commas",Trust,Notes\r\n1234.5678,"two\nlines",comparable,\r\n,,do not compare (errors 3 %),short-window; errors\r\n',
  ))

test('every table has a file of its own name', () => {
  const names = renderReport(storedResult('query-types')).csv.map(({ name }) => name)
  expect(names).toEqual(['base-instance.csv', 'performance.csv', 'resource-usage.csv'])
})

test('tables of the same title do not overwrite each other', () => {
  const result = storedResult('quickstart')
  const twin = { title: 'Ä b', rows: 'operations', columns: ['errors'] }
  result.spec.report = { tables: [twin, twin, { ...twin, title: '日本' }], charts: [] }
  expect(renderReport(result).csv.map(({ name }) => name)).toEqual(['a-b.csv', 'a-b-2.csv', 'table.csv'])
})

test('json has the tables as plain data', () => {
  const { json } = renderReport(storedResult('quickstart'))
  expect(structuredClone(json)).toEqual(JSON.parse(JSON.stringify(json)))
  expect(json.tables[0]?.rows[0]?.cells[0]).toBe('findOne')
  expect(json.tables[0]?.rows[0]?.trust).toEqual({ level: 'comparable', reason: null })
})
