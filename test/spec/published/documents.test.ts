import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { getColumnMetric } from '../../../src/metrics/against.ts'
import { getColumn, isMetric } from '../../../src/metrics/columns/index.ts'
import { type ColumnSpec } from '../../../src/metrics/report-schema.ts'
import { type Named } from '../../../src/metrics/rows/parameters.ts'
import { showsInterval } from '../../../src/report/tables/measured.ts'
import { loadSpecFile } from '../../../src/spec/load-spec.ts'
import { documentNames, findTable, readDocument } from '../../../src/spec/published/find-table.ts'
import { findPublishedRow } from '../../../src/spec/published/match.ts'
import { fail } from '../../fakes/fail.ts'
import { publishedDocument } from '../../report/published/document-schema.ts'

const documentOf = (name: string) => readDocument(name) ?? fail(`no document ${name}`)

test.each(documentNames())('the published document %s has the form that is read', (name) =>
  expect(publishedDocument.parse(documentOf(name))).toEqual(documentOf(name)),
)

test('the performance tables name their source', () =>
  expect(documentOf('performance-tables').source).toEqual({
    title: 'MongoDB Performance Tables',
    author: 'John Page',
    version: '0.9',
    date: '2025-12-09',
  }))

test.each(documentOf('performance-tables').sections)('the hardware of "$title" is that of its table', (section) => {
  const [base] = section.tables
  const cells = base?.rows[0] ?? []
  expect(cells).toHaveLength(4)
  for (const cell of cells) expect(section.hardware).toContain(String(cell))
})

test('a row with a cell too many does not fit', () => {
  const { sections, ...rest } = documentOf('performance-tables')
  const [first = fail('no section')] = sections
  const [table = fail('no table')] = first.tables
  const broken = { ...rest, sections: [{ ...first, tables: [{ ...table, rows: [[1, 2, 3, 4, 5]] }] }] }
  expect(publishedDocument.safeParse(broken).success).toBe(false)
})

const folder = 'fixtures/specs/performance-tables'

/** Of the two that the document names but does not show, nothing was published. */
const unpublished = new Set(['queue.json', 'batched-updates.json'])
const files = readdirSync(folder).filter((file) => file.endsWith('.json') && !unpublished.has(file))

test.each(files)('every row of %s finds the published row of its own', async (file) => {
  const { rows } = await loadSpecFile(`${folder}/${file}`)
  const published = rows[0]?.spec.report.published ?? fail('nothing published')
  const table = findTable(published)
  if ('issues' in table) return fail('no such table')
  // Those with a smaller cache are our own.
  const alike = rows.filter(({ label }) => !label.includes('cache of'))
  const found = alike.map(({ label, parameters }) =>
    findPublishedRow({ label, parameters: Object.fromEntries(parameters) as Named['parameters'] }, published, table),
  )
  expect(found).not.toContain(null)
  expect(new Set(found).size).toBe(alike.length)
})

/** Slips of the published headings, mended: what a column holds, and one spelling for all tables. */
const mended: Readonly<Record<string, string>> = {
  'Disk Size': 'Disk Size (GB)',
  'Disk  IOPS': 'Disk IOPS',
  'Write batch size': 'Write Batch Size',
  'Number of secondary Indexes': 'Number of secondary indexes',
}

/** A table over instance types that calls them disks. */
const mendedOf = (section: string, heading: string): string =>
  section.startsWith('Impact of Instance Size') && heading === 'Disk Specification'
    ? 'Instance Type'
    : (mended[heading] ?? heading)

function headingOf(column: ColumnSpec): string {
  if (typeof column === 'object' && 'title' in column && column.title !== undefined) return column.title
  const measure = getColumnMetric(column)?.split('.').at(-1) ?? fail('a column without a heading')
  if (!isMetric(measure)) return fail(`no column ${measure}`)
  return showsInterval(column) ? '' : getColumn(measure).title
}

/** One section has the headings of two tables the wrong way round, so that both go by the first of them. */
const publishedTables = (title: string) => {
  const { tables } =
    documentOf('performance-tables').sections.find((section) => section.title === title) ?? fail(`no section ${title}`)
  const titles = ['Base Instance', 'Performance', 'Resource Usage']
  return tables.map(({ columns }, index) => ({
    title: titles[index],
    columns: columns.map((one) => mendedOf(title, one)),
  }))
}

test.each(files)('the tables of %s have the published columns, in their order', async (file) => {
  const { rows, title } = await loadSpecFile(`${folder}/${file}`)
  const own = rows[0]?.spec.report.tables ?? fail('no tables')
  for (const { title: table, columns } of publishedTables(title)) {
    const shown = own.find((one) => one.title === table)?.columns.map(headingOf)
    expect(shown?.filter((heading) => columns.includes(heading))).toEqual(columns)
  }
})

test('the stress test names its source, as far as it is known', () =>
  expect(documentOf('most').source).toEqual({
    title: 'MongoDB (the stress test MOST)',
    author: 'Nathan Tippy, OCI',
    date: '2011-08',
  }))

test('a report that bears no date has none', () =>
  expect(Object.keys(documentOf('bank-transfers').source)).toEqual(['title', 'author']))

test.each(['2011', '2011-13', '2011-08-32', 'August 2011'])('%s is neither a day nor a month', (date) => {
  const { source, ...rest } = documentOf('most')
  expect(publishedDocument.safeParse({ ...rest, source: { ...source, date } }).success).toBe(false)
})

test.each([
  ['single-in-memory', 8],
  ['single-on-disk', 8],
  ['replica-set', 16],
])('the rows of stress-test/%s are the published ones, in their order', async (name, count) => {
  const { rows } = await loadSpecFile(`fixtures/specs/stress-test/${name}.json`)
  const published = rows[0]?.spec.report.published ?? fail('nothing published')
  const table = findTable(published)
  if ('issues' in table) return fail('no such table')
  expect(table.rows).toHaveLength(count)
  const found = rows.map(({ label, parameters }) =>
    findPublishedRow({ label, parameters: Object.fromEntries(parameters) as Named['parameters'] }, published, table),
  )
  expect(found).toEqual(table.rows)
})
