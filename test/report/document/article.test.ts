import { describe, expect, test } from 'vitest'
import { type ColumnSpec, type ReportSpec, type TableSpec } from '../../../src/metrics/report-schema.ts'
import { shownAs } from '../../../src/report/definition/quick-report.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { articleTree } from '../../../src/report/document/article.ts'
import { treeMarkdown } from '../../../src/report/markdown/render.ts'
import { renderTree } from '../../../src/report/report.ts'
import { readResult } from '../../../src/results/files/results-file.ts'
import { type Result } from '../../../src/results/schema.ts'

const read = (name: string): Promise<Result> => readResult(`fixtures/invented-results/${name}.json`)
const [batches, queries] = await Promise.all([read('insert-batch-size'), read('query-types')])

const articleOf = (result: Result) => articleTree(evaluateReport(result), renderTree(result, { reference: true }))

/** The Markdown in front of what is folded, and what is folded. */
const partsOf = (result: Result): readonly [front: string, folded: string] => {
  const text = treeMarkdown(articleOf(result)).replaceAll(/ {2,}/g, ' ')
  const at = text.indexOf('<details>')
  return [text.slice(0, at), text.slice(at)]
}

const { tables: writtenTables, charts, ...others } = evaluateReport(batches).spec
const written: ReportSpec = { ...others, tables: [...writtenTables], charts: [...charts] }

const withReport = (report: Partial<ReportSpec>): Result => shownAs(batches, { ...written, ...report })

const withColumns = (change: (columns: readonly ColumnSpec[]) => ColumnSpec[]): Result =>
  withReport({ tables: writtenTables.map((table) => Object.assign({}, table, { columns: change(table.columns) })) })

const headersIn = (text: string): readonly string[] =>
  (text.match(/^\|.*\|(?=\n\| -)/gm) ?? []).map((line) => line.slice(2, -2))

describe('the article of a spec with a published model', () => {
  const [front, folded] = partsOf(batches)

  test('has the published columns in their order, and two of ours at most', () => {
    expect(headersIn(front).slice(-2)).toSay('article-columns')
    const [other] = partsOf(withColumns((columns) => ['limitedBy', ...columns]))
    expect(headersIn(other).at(-2)).toMatch(/^Write Batch Size \|.*\| Limited by \| ÷ published$/)
  })

  test('has the figures of the report in them, and an empty column where nothing was measured', () => {
    expect(front).toContain('| 10 | 6.7 | 238 | 8878 | 35.31 | 56.31 | 1.22 |')
    const [fewer] = partsOf(withColumns((columns) => columns.slice(0, 2)))
    expect(fewer).toMatch(/^\| 10 \| 6\.7 \| \| 8878 \| \| \| 1\.22 \|$/m)
  })

  test('marks the rows that do not compare in each table, and folds why', () => {
    expect(front.match(/^\| ≥ 1 \(lower bound\) \|/gm)).toHaveLength(2)
    expect(front.match(/^\| ✗ 1000 \(do not compare\) \|/gm)).toHaveLength(2)
    expect(front).toMatch(/^_Measured \d{4}-\d\d-\d\d, each row .*\. Trust in \d+ rows: .*\._$/m)
    expect(folded).toContain('**Do not compare** (')
  })

  test('shows its parts in the order of the published document', () => {
    expect(front.match(/^#+ .*/gm)).toSay('article-headings')
    expect(front.match(/<picture>/g)).toHaveLength(1)
  })

  test('folds one table of what was published, how sure the ratios are, and what an operation costs', () =>
    expect(headersIn(folded)).toSay('article-columns-folded'))

  test('folds published latencies and page reads too, where the spec names them', () => {
    const latency = { column: 'Average Op Latency (ms)', metric: 'serverLatencyMs' }
    const pages = { table: 'Resource Usage', column: 'Read into Cache (Pages/s)', metric: 'pagesReadPerSecond' }
    const published = written.published && { ...written.published, beside: [latency, pages] }
    const [, more] = partsOf(withReport({ published }))
    expect(headersIn(more)[0]).toContain(
      '| Measured Ratio | Published Average Op Latency (ms) | Published Read into Cache (Pages/s) | p99 (ms) |',
    )
  })
})

test('the metric beside a published column is shown under its heading, and not another one of that title', async () => {
  const stored = await readResult('fixtures/results/performance-tables/insert-batch-size/result.json')
  const [front] = partsOf(stored)
  // The latency of the server; the client of this row has 1,185 ms.
  expect(front).toMatch(/^\| 1000 \|.*\| 383\.8 \| server CPU/m)
})

test('rows keep their own names where the published heading is another one', async () => {
  const sizes = await readResult('fixtures/results/performance-tables/instance-size/result.json')
  const [front] = partsOf(sizes)
  expect(front.match(/^\| 0\.125 CPU, /gm)).toHaveLength(2)
})

const foldedOf = async (name: string): Promise<string> =>
  partsOf(await readResult(`fixtures/results/performance-tables/${name}/result.json`))[1]

test('what is folded repeats neither the settings nor figures that follow from those in front', async () => {
  const sizes = await foldedOf('instance-size')
  expect(sizes).not.toMatch(/Base Instance|Pages\/op|Not measured:/)
  expect(sizes).toContain('**Servers**')
  expect(await foldedOf('queue')).toContain('Read into Cache (Pages/op)')
})

describe('the article of another spec', () => {
  test('has one table of at most seven columns: what differs, and what people read first', () => {
    const [front] = partsOf(withReport({ published: undefined }))
    expect(headersIn(front).slice(1)).toHaveLength(1)
    const wide = [
      'p95Ms',
      'meanMs',
      'wallSeconds',
      'dataLoadedMB',
      'operations',
      'opsPerSecond',
      'p50Ms',
      'p99Ms',
      'errors',
    ]
    const tables: TableSpec[] = [{ title: 'Speed', rows: 'variants', columns: [{ parameter: 'batch' }, ...wide] }]
    expect(headersIn(partsOf(withReport({ published: undefined, tables }))[0]).at(-1)).toBe(
      'batch | p95 (ms) | Average Op Latency (ms) | Throughput (ops/s) | p50 (ms) | p99 (ms) | Errors',
    )
  })

  test('warns of the whole run in front', () => expect(partsOf(queries)[0]).toContain('**This run failed:**'))
})

test('the finding stands in bold, and a description of 80 words at most', () => {
  const sentence = 'It has a dozen words, so that seven of them are above eighty.'
  const described = {
    ...batches,
    spec: { ...batches.spec, description: `${Array(9).fill(sentence).join(' ')}\n\nMore.` },
  }
  const faster = {
    '@ratio': { of: 'docsPerSecond', at: { batch: 10 }, to: { batch: 1 }, noun: 'documents per second' },
  }
  const report = { let: { faster }, finding: { text: 'Ten per call', ratio: 'faster' } }
  const [front, folded] = partsOf(shownAs(described, { ...written, ...report }))
  expect(front).toMatch(/^\*\*Ten per call: .*documents per second.*\*\*$/m)
  expect(front.split(sentence)).toHaveLength(7)
  expect(folded.split(sentence)).toHaveLength(4)
  expect(folded).toContain('\n\nMore.\n')
})
