import { describe, expect, test } from 'vitest'
import { renderReport } from '../../src/report/report.ts'
import { fakeMember, fakeOperation, fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'
import { noLimits } from '../fakes/no-limits.ts'
import { storedResult, storedResults } from '../fakes/stored-results.ts'

test.each(storedResults)(
  'the recorded result %s gives its report',
  async (name) =>
    await expect(renderReport(storedResult(name)).markdown).toMatchFileSnapshot(`../../fixtures/reports/${name}.md`),
)

type Report = Parameters<typeof fakeResult>[0]

const markdownOf = (given: Report): string => renderReport(fakeResult(given)).markdown
const rowsIn = (markdown: string): readonly string[] => markdown.split('\n').filter((line) => line.startsWith('|'))
const table = (columns: readonly unknown[], rest = {}) =>
  ({ tables: [{ title: 'T', columns, ...rest }], charts: [] }) as never

describe('a table', () => {
  test('has figures to the right, padded to equal width', () => {
    const lines = rowsIn(markdownOf({ spec: { report: table(['opsPerSecond', 'p99Ms']) } })).slice(-3)
    expect(lines[1]).toMatch(/^(\| -+: )+\|$/)
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  })

  test('leaves the cell of a missing value empty', () => {
    const phases = [fakePhase({ members: [fakeMember({ source: null, totals: {} })] })]
    const [, , row] = rowsIn(
      markdownOf({ spec: { report: table(['cpuPercent']) }, variants: [fakeVariant({ phases })] }),
    ).slice(-3)
    expect(row).toMatch(/^\| +\|$/)
  })

  test('has commas from 10,000 on, and the decimals that the spec asks for', () => {
    const operations = [fakeOperation({ ok: 12_345_678 })]
    const variants = [fakeVariant({ phases: [fakePhase({ operations })] })]
    const report = table(['operations', { metric: 'wallSeconds', digits: 3 }])
    expect(rowsIn(markdownOf({ spec: { report }, variants })).at(-1)).toBe('| 12,345,678 |          4.000 |')
  })

  test('never shows a small number as 0', () => {
    const variants = [withPhase(0, { wallSeconds: 9000, operations: [fakeOperation({ ok: 30 })] })]
    expect(rowsIn(markdownOf({ spec: { report: table(['opsPerSecond']) }, variants })).at(-1)).toContain(' 0.0033 |')
  })

  test('shows once what KB and MB are, where it has such a column', () => {
    const rule = 'KB = 1024 B, MB = 1024 KB.'
    expect(markdownOf({ spec: { report: table(['mbPerSecond', 'journalKBps']) } }).split(rule)).toHaveLength(2)
    expect(markdownOf({ spec: { report: table(['opsPerSecond']) } })).not.toContain(rule)
  })

  test('names the phase where two columns show the same measure', () => {
    const phases = [fakePhase({ name: 'write' }), fakePhase({ name: 'read' })]
    const report = table(['write.opsPerSecond', 'read.opsPerSecond'])
    const [header] = rowsIn(markdownOf({ spec: { report }, variants: [fakeVariant({ phases })] })).slice(-3)
    expect(header).toBe('| write: Throughput (ops/s) | read: Throughput (ops/s) |')
  })
})

const anError = { outcome: 'failed' as const, labels: [], message: '' }
const doubt = (code: string, message = 'Something is in doubt') => ({ code, message, advice: 'Look again' })
const withPhase = (row: number, given: Parameters<typeof fakePhase>[0]) =>
  fakeVariant({ row, phases: [fakePhase(given)] })

describe('a row with warnings', () => {
  const report = table([{ row: 'letter' }, 'errors'])

  test('has them folded under the table, with their advice and the rows that they concern', () => {
    const markdown = markdownOf({
      spec: { report },
      variants: [withPhase(0, { warnings: [doubt('x')] }), withPhase(1, {})],
    })
    expect(rowsIn(markdown).slice(-2)).toEqual(['| A    |      0 |', '| B    |      0 |'])
    expect(/<details>\n<summary>Trust[^]*?<\/details>/.exec(markdown)?.[0]).toSay('report-warnings-folded')
  })

  test('shares a warning with other rows', () => {
    const variants = [
      withPhase(0, { warnings: [doubt('x', 'Off by 1 %')] }),
      withPhase(1, { warnings: [doubt('x', 'Off by 2 %'), doubt('y')] }),
      withPhase(2, {}),
    ]
    const markdown = markdownOf({ spec: { report }, variants })
    expect(markdown).toHaveLine('report-warning-shared')
    expect(markdown).toHaveLine('report-warning', { row: 2 })
  })

  test('has no fold without warnings', () => expect(markdownOf({ spec: { report } })).not.toContain('<summary>Trust'))

  test('shows errors and a saturated client even where nothing warned of them', () => {
    const errors = [{ ...anError, code: '11000', name: 'DuplicateKey', count: 3, message: 'E11000' }]
    const client = { ...fakePhase().client, saturated: true, eventLoopUtilization: 0.96 }
    const markdown = markdownOf({
      spec: { report },
      variants: [withPhase(0, { client, operations: [fakeOperation({ failed: 3, errors })] }), withPhase(1, {})],
    })
    expect(markdown).toHaveLine('report-warning-of-errors')
    expect(markdown).toHaveLine('report-warning-of-client')
    expect(rowsIn(markdown).at(-2)).toBe('| ≥ A (lower bound) |      3 |')
  })

  test('shows why it failed, and shows what it has', () => {
    const variants = [
      fakeVariant({ status: 'failed', error: 'disk <b>full</b>', phases: [] }),
      fakeVariant({ row: 1, status: 'aborted' }),
    ]
    const markdown = markdownOf({ status: 'failed', spec: { report }, variants })
    expect(markdown).toHaveLine('report-of-failed-run', { rows: 2 })
    expect(markdown).toHaveLine('report-warning-of-failure')
    expect(rowsIn(markdown).slice(-2)).toSay('report-rows-of-failed-run')
  })

  test('of one operation does not have the errors of another', () => {
    const errors = [{ ...anError, code: '112', name: 'WriteConflict', count: 1 }]
    const operations = [fakeOperation(), fakeOperation({ name: 'updateOne', failed: 1, errors })]
    const byOperation = table([{ row: 'operation' }], { rows: 'operations' })
    const markdown = markdownOf({
      spec: { report: byOperation },
      variants: [withPhase(0, { operations, warnings: [doubt('errors')] })],
    })
    expect(markdown).toHaveLine('report-warning', { row: 2 })
  })
})

describe('a report', () => {
  test('leaves out the sections that have no text', () => {
    const markdown = markdownOf({ spec: { description: '', report: table(['opsPerSecond']) } })
    expect(markdown.match(/^###? .*/gm)).toEqual(['## An example', '### Base Instance', '### T'])
  })

  test('has the sections of the published ones', () => {
    const report = { ...(table(['opsPerSecond']) as object), analysis: ['a', 'b'], keyTakeaways: '- c' } as never
    const markdown = markdownOf({ spec: { report } })
    const titles = ['Description', 'Base Instance', 'T', 'Analysis', 'Key Takeaways']
    expect(markdown.match(/^###? .*/gm)).toEqual(['## An example', ...titles.map((title) => `### ${title}`)])
    expect(markdown).toContain('### Analysis\n\na\nb\n\n### Key Takeaways\n\n- c\n')
  })

  test('shows a sensible one for a spec that asks for nothing', () => {
    const { markdown, charts } = renderReport(fakeResult())
    expect(markdown).toContain('Throughput (ops/s)')
    expect(markdown).toContain('### Resource Usage')
    expect(charts.map(({ picture }) => picture.title)).toSay('chart-title-by-default')
  })

  test('shows the change streams of a spec that asks for nothing', () => {
    const result = storedResult('update-api')
    result.spec.report = {}
    const { markdown } = renderReport(result)
    expect(markdown).toContain('### Change Stream: watch')
    expect(markdown).toContain('p99 Lag (ms)')
  })

  test('can be made of a run that was aborted before its first row', () => {
    const markdown = markdownOf({ status: 'aborted', variants: [], spec: { rows: 3, report: table(['write.p99Ms']) } })
    expect(markdown).toHaveLine('report-of-aborted-run', { rows: 3 })
  })

  test('shows which name in its report part is wrong', () => {
    expect(() => markdownOf({ spec: { report: table(['p99ms']) } })).toSay('report-metric-unknown')
    expect(() => markdownOf({ spec: { report: { tabels: [] } } })).toSay('report-part-unknown')
  })
})

describe('limits', () => {
  const { server } = fakeVariant()
  const limits = { ...noLimits, cpus: 0.5, cpuPeriodMs: 10, memoryMB: 512, readIops: 500 }
  const row = (given: object) => fakeVariant({ server: server && { ...server, ...given } })
  const settingOf = (...variants: ReturnType<typeof row>[]): string | undefined =>
    rowsIn(markdownOf({ variants })).find((line) => line.includes('Server limits'))

  test('stand among the settings, as text', () =>
    expect(settingOf(row({ limits, directIO: true }))).toContain(
      ' 0.5 CPU (period 10 ms), 512 MB, 500 read IOPS, direct I/O |',
    ))

  test('that were not kept are named as such', () => {
    const variant = fakeVariant({ warnings: [{ code: 'limits-not-kept', message: 'm', advice: 'a' }] })
    expect(settingOf(variant)?.replaceAll(/ +/g, ' ')).toSay('setting-limits-not-kept')
  })

  test('of some rows are distinguished from the rows without', () => {
    const limited = row({ limits: { ...limits, memoryMB: null } })
    const markdown = markdownOf({ variants: [limited, { ...row({}), row: 1 }] })
    expect(markdown).toMatch(/^\| +1 \| 0\.5 CPU \(period 10 ms\), 500 read IOPS \|$/m)
    expect(markdown).toMatch(/^\| +2 \| none +\|$/m)
    expect(settingOf(row({}))).toBeUndefined()
  })

  test('and cores of some rows are distinguished from the rows that share all', () => {
    const pinned = row({ pinnedCores: { client: [0], servers: [1, 2] } })
    const markdown = markdownOf({ variants: [pinned, { ...row({}), row: 1 }] })
    expect(markdown).toMatch(/^\| +1 \| client 0; servers 1-2 \|$/m)
    expect(markdown).toMatch(/^\| +2 \| shared +\|$/m)
  })

  test('that this machine cannot keep are why there are no figures', () => {
    const message = '16 CPUs are asked for, and this machine has 2'
    const reason = { code: 'not-measured-here', message, advice: 'Use less' }
    const markdown = markdownOf({ status: 'failed', variants: [], warnings: [reason] })
    expect(markdown).toHaveLine('report-not-measured-here')
    expect(markdown).not.toContain('This run failed')
    expect(markdown.match(/^### .*/gm)).toEqual(['### Description', '### Base Instance'])
  })
})
