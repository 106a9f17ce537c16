import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const stored = fileURLToPath(new URL('../../fixtures/invented-results/', import.meta.url))

const inFolder = useFreshFolder()
beforeEach(() => cp(path.join(stored, 'insert-batch-size.json'), inFolder('result.json')))

const reporting = (args: readonly string[]) => ['report', inFolder('result.json'), '--format', 'csv', ...args]
const report = (...args: readonly string[]) => runCommandLine(reporting(args))
const reportRefused = (...args: readonly string[]) => runRefused(reporting(args))
const firstLine = (text: string): string => text.split('\r\n')[0] ?? ''

/** A spec whose phase is none of those that were measured. */
async function otherSpec(part: object, ...names: readonly string[]): Promise<string> {
  const file = inFolder('other.json')
  const phases = [{ name: 'other', stopAfter: { operations: 1 }, operations: [{ kind: 'findOne' }] }]
  const parameters = Object.fromEntries(names.map((name) => [name, 1]))
  await writeFile(file, JSON.stringify({ name: 'other', parameters, phases, report: part }))
  return file
}

describe('report --columns', () => {
  test('prints one table of them behind what distinguishes the rows, and writes nothing', async () => {
    const { stdout, stderr, code } = await report('--columns', 'docsPerSecond, p99Ms')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\r\n').slice(0, 2)).toEqual([
      'batch,Speed (docs/s),p99 (ms),Trust,Notes',
      '1,2036.231382057499,54.463,lower bound (client 42 %),client-limited',
    ])
    expect(await readdir(inFolder())).toEqual(['result.json'])
  })

  test('shows a parameter where it is named', async () => {
    const { stdout } = await report('--columns', 'errors,batch')
    expect(firstLine(stdout)).toBe('Errors,batch,Trust,Notes')
  })

  test('writes the table where --out names a folder', async () => {
    const { code } = await report('--columns', 'p99Ms', '--out', inFolder('out'))
    expect(code).toBe(0)
    expect(await readdir(inFolder('out', 'insert-batch-size'))).toEqual(['columns.csv', 'report.html', 'report.md'])
    expect(await readdir(inFolder())).toEqual(['out', 'result.json'])
  })

  test.each([
    ['p99', 'columns-metric-unknown', { metric: 'p99' }],
    ['p50Ms,insrt.p99Ms', 'columns-operation-unknown', { metric: 'insrt.p99Ms' }],
    ['p50Ms,', 'columns-unreadable', {}],
  ])('refuses %s', async (columns, code, data) => expect(await reportRefused('--columns', columns)).toSay(code, data))

  test('has no place in a document', async () =>
    expect((await report('--columns', 'p99Ms', '--into', inFolder('P.md'))).code).toBe(2))
})

describe('report --html', () => {
  test('writes the page alone', async () => {
    const page = inFolder('page.html')
    const { stderr, code } = await report('--html', page)
    expect([code, stderr]).toEqual([0, `Report: ${page}\n`])
    expect(await readdir(inFolder())).toEqual(['page.html', 'result.json'])
  })

  test('writes the other files too where --out names a folder', async () => {
    const { code } = await report('--html', inFolder('page.html'), '--out', inFolder('out'))
    expect(code).toBe(0)
    expect(await readdir(inFolder())).toEqual(['out', 'page.html', 'result.json'])
    expect(await readdir(inFolder('out', 'insert-batch-size'))).toContain('report.md')
  })
})

describe('report --spec', () => {
  test('shows a result by the report part of another spec, without a trace of its own tables', async () => {
    const columns = [{ parameter: 'batch', title: 'Batch' }, 'insert.meanMs']
    const file = await otherSpec({ tables: [{ title: 'Means', columns }], charts: [], analysis: 'So it is.' }, 'batch')
    const { stdout, code } = await report('--spec', file)
    expect(code).toBe(0)
    expect(firstLine(stdout)).toBe('Batch,Average Op Latency (ms),Trust,Notes')
    expect(await readdir(inFolder())).toEqual(['means.csv', 'other.json', 'report.html', 'report.md', 'result.json'])
    const written = await readFile(inFolder('report.md'), 'utf8')
    expect(written).toMatch(/^## Impact of client write batch size/)
    expect(written).toContain('### Analysis\n\nSo it is.')
  })

  test('goes into a document', async () => {
    const file = await otherSpec({ tables: [{ title: 'Means', columns: ['insert.meanMs'] }], charts: [] })
    const document = inFolder('P.md')
    expect((await report('--spec', file, '--into', document)).code).toBe(0)
    expect(await readFile(document, 'utf8')).toContain('### Means\n')
  })

  test('names every place that the result does not have', async () => {
    const columns = ['inserts.p99Ms', { parameter: 'bach' }, { value: { '@param': 'size' }, title: 'Size' }]
    const file = await otherSpec({ tables: [{ title: 'T', columns }] }, 'bach', 'size')
    expect(await reportRefused('--spec', file)).toSay('report-spec-of-other-places', { file })
    expect(await readdir(inFolder())).toEqual(['other.json', 'result.json'])
  })

  test('takes the name of a shipped spec, and one at a time', async () => {
    const quickstart = fileURLToPath(new URL('../../fixtures/results/quickstart/result.json', import.meta.url))
    const args = ['report', quickstart, '--spec', 'quickstart', '--out', inFolder('q')]
    expect((await runCommandLine(args)).code).toBe(0)
    expect(await reportRefused('--spec', 'performance-tables')).toSay('report-spec-of-folder', { specs: 14 })
  })
})
