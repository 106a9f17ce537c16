import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

const stored = fileURLToPath(new URL('../../fixtures/invented-results/', import.meta.url))

let folder: string
let result: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-report-'))
  result = path.join(folder, 'result.json')
  await cp(path.join(stored, 'insert-batch-size.json'), result)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const report = (...args: readonly string[]) => runCommandLine(['report', result, '--format', 'csv', ...args])
const firstLine = (text: string): string => text.split('\r\n')[0] ?? ''

/** A spec whose phase is none of those that were measured. */
async function otherSpec(part: object, ...names: readonly string[]): Promise<string> {
  const file = path.join(folder, 'other.json')
  const phase = { name: 'other', stopAfter: { operations: 1 }, operations: [{ kind: 'findOne' }] }
  await writeFile(
    file,
    JSON.stringify({
      name: 'other',
      parameters: Object.fromEntries(names.map((name) => [name, 1])),
      phases: [phase],
      report: part,
    }),
  )
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
    expect(await readdir(folder)).toEqual(['result.json'])
  })

  test('shows a parameter where it is named', async () => {
    const { stdout } = await report('--columns', 'errors,batch')
    expect(firstLine(stdout)).toBe('Errors,batch,Trust,Notes')
  })

  test('writes the table where --out names a folder', async () => {
    const { code } = await report('--columns', 'p99Ms', '--out', path.join(folder, 'out'))
    expect(code).toBe(0)
    expect(await readdir(path.join(folder, 'out', 'insert-batch-size'))).toEqual([
      'columns.csv',
      'report.html',
      'report.md',
    ])
    expect(await readdir(folder)).toEqual(['out', 'result.json'])
  })

  test.each([
    ['p99', '--columns p99: there is no metric "p99"; did you mean "p99Ms"?'],
    [
      'p50Ms,insrt.p99Ms',
      '--columns insrt.p99Ms: no measured phase or operation is called "insrt"; did you mean "insert.p99Ms"?',
    ],
    ['p50Ms,', 'It must be names with commas between them.'],
  ])('refuses %s', async (columns, message) => {
    const { stderr, code } = await report('--columns', columns)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  test('has no place in a document', async () => {
    expect((await report('--columns', 'p99Ms', '--into', path.join(folder, 'P.md'))).code).toBe(2)
  })
})

describe('report --html', () => {
  test('writes the page alone', async () => {
    const page = path.join(folder, 'page.html')
    const { stderr, code } = await report('--html', page)
    expect([code, stderr]).toEqual([0, `written: ${page}\n`])
    expect(await readdir(folder)).toEqual(['page.html', 'result.json'])
  })

  test('writes the other files too where --out names a folder', async () => {
    const { code } = await report('--html', path.join(folder, 'page.html'), '--out', path.join(folder, 'out'))
    expect(code).toBe(0)
    expect(await readdir(folder)).toEqual(['out', 'page.html', 'result.json'])
    expect(await readdir(path.join(folder, 'out', 'insert-batch-size'))).toContain('report.md')
  })
})

describe('report --spec', () => {
  test('shows a result by the report part of another spec, without a trace of its own tables', async () => {
    const columns = [{ parameter: 'batch', title: 'Batch' }, 'insert.meanMs']
    const file = await otherSpec({ tables: [{ title: 'Means', columns }], charts: [], analysis: 'So it is.' }, 'batch')
    const { stdout, code } = await report('--spec', file)
    expect(code).toBe(0)
    expect(firstLine(stdout)).toBe('Batch,Average Op Latency (ms),Trust,Notes')
    expect(await readdir(folder)).toEqual(['means.csv', 'other.json', 'report.html', 'report.md', 'result.json'])
    const written = await readFile(path.join(folder, 'report.md'), 'utf8')
    expect(written).toMatch(/^## Impact of client write batch size/)
    expect(written).toContain('### Analysis\n\nSo it is.')
  })

  test('goes into a document', async () => {
    const file = await otherSpec({ tables: [{ title: 'Means', columns: ['insert.meanMs'] }], charts: [] })
    const document = path.join(folder, 'P.md')
    expect((await report('--spec', file, '--into', document)).code).toBe(0)
    expect(await readFile(document, 'utf8')).toContain('### Means\n')
  })

  test('names every place that the result does not have', async () => {
    const columns = ['inserts.p99Ms', { parameter: 'bach' }, { value: { '@param': 'size' }, title: 'Size' }]
    const { stderr, code } = await report(
      '--spec',
      await otherSpec({ tables: [{ title: 'T', columns }] }, 'bach', 'size'),
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(/other\.json:1:\d+: report\.tables\[0\]\.columns\[0\]: .*did you mean "insert\.p99Ms"\?\n/)
    expect(stderr).toMatch(/columns\[1\]\.parameter: there is no parameter "bach"; did you mean "batch"\?\n/)
    expect(stderr).toMatch(/columns\[2\]\.value\.@param: there is no parameter "size"\n/)
    expect(await readdir(folder)).toEqual(['other.json', 'result.json'])
  })

  test('takes the name of a shipped spec, and one at a time', async () => {
    const [quickstart, file] = [
      fileURLToPath(new URL('../../fixtures/results/quickstart/result.json', import.meta.url)),
      path.join(folder, 'q'),
    ]
    expect((await runCommandLine(['report', quickstart, '--spec', 'quickstart', '--out', file])).code).toBe(0)
    expect((await report('--spec', 'performance-tables')).stderr).toContain('is a folder of')
  })
})
