import { describe, expect, test } from 'vitest'
import { plainScreen } from '../../../src/cli/cli-context.ts'
import { runCli } from '../../../src/cli/run-cli.ts'
import { type TextLine } from '../../../src/report/formats/text-blocks.ts'
import { formatReportPlace, formatTextReport } from '../../../src/report/formats/text.ts'
import { renderReport } from '../../../src/report/report.ts'
import { type CheckResult, type Result } from '../../../src/results/schema.ts'
import { fakeCliContext, runCommandLine } from '../../fakes/fake-cli-context.ts'
import { fakePhase, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import { storedResult, storedResults } from '../../fakes/stored-results.ts'

const linesOf = (result: Result, columns = 80): readonly TextLine[] =>
  formatTextReport(result, renderReport(result), columns)

const textOf = (result: Result, columns?: number): string =>
  linesOf(result, columns)
    .map(({ text }) => text)
    .join('\n')

const check = (status: CheckResult['status'], evidence: readonly string[] = []): CheckResult => ({
  name: `is-${status}`,
  kind: 'sumUnchanged',
  status,
  reason: null,
  measures: {},
  evidence: [...evidence],
})

describe('a report for a terminal', () => {
  test('has title, figures, one table, trust, limiter and thresholds', () => {
    expect(textOf(storedResult('quickstart'))).toMatchInlineSnapshot(`
      "A mix people recognise

      6,856 ops/s  Throughput
          2.38 ms  Median latency
          6.23 ms  p99 latency
                3  Errors

                                          Average Op
                              Throughput     Latency   p50   p95   p99
      Operation   Operations     (ops/s)        (ms)  (ms)  (ms)  (ms)  Errors
      ──────────  ──────────  ──────────  ──────────  ────  ────  ────  ──────
      findOne          61697        4112        1.84  1.70  3.06  4.15       0
      insertOne        15255        1017        2.66  2.42  4.31  5.91       0
      updateOne        20787        1385        2.72  2.53  4.50  5.80       3
      lastOrders        5122         341        3.15  2.92  5.27  7.19       0

      Trust       4 rows: 4 comparable; 1 remark
      Limited by  not known

      ✗ errors == 0: measured 3
      ✓ findOne.p99Ms < 500
      "
    `)
  })

  test('marks the rows that do not compare, and shows what does not fit in further blocks with the names of the rows', () => {
    expect(textOf(storedResult('insert-batch-size'), 60)).toMatchInlineSnapshot(`
      "Impact of client write batch size on write speed

      Speed (docs/s) by Write Batch Size: from 2,036 docs/s (1) to
      15,053 docs/s (100)

        Write   Time    Data                    Average Op
        Batch  Taken  Loaded     Speed   Speed     Latency    p99
         Size    (s)    (MB)  (docs/s)  (MB/s)        (ms)   (ms)
        ─────  ─────  ──────  ────────  ──────  ──────────  ─────
      ≥     1   28.9     236      2036    8.10       24.74  54.46
           10    6.7     238      8878   35.31       56.31  127.7
          100    4.0     237     15053   59.86       339.4  748.0
      ✗  1000    3.6     239     16497   65.61        3152
      ✗  2000    3.9     239     15279   60.76        6529

        Write                             against
        Batch                             batch 1
         Size  Speed (docs/s) over Runs   (95 %)
        ─────  ─────────────────────────  ─────────
      ≥     1  2012 to 2099 (min, max)    base
           10  8727 to 9555 (min, max)    about 4.4
          100  14126 to 15402 (min, max)  about 7.4
      ✗  1000  16240 to 16986 (min, max)
      ✗  2000  14978 to 15480 (min, max)
      "against batch 1 (95 %)": Speed (docs/s), divided by the
      value of the row with batch 1; in brackets the 95 % interval
      over the runs, for each row by itself ("about": too few
      runs).

      Trust       ✗ 5 rows: 2 comparable, 1 lower bound, 2 do not
                  compare. Rows 2 to 5; 12 of 12 runs: The window
                  was only 3.9 s, shorter than 10 s. (Figures of
                  one run; others differ.)
      Limited by  not known in 4 of 5 rows; client CPU in 1 of 5
                  rows
      "
    `)
  })

  test.each(storedResults.flatMap((name) => [60, 80, 120].map((columns) => ({ name, columns }))))(
    'of $name fits $columns columns',
    ({ name, columns }) => {
      const lines = textOf(storedResult(name), columns).split('\n')
      expect(lines.filter((line) => line.length > columns)).toEqual([])
    },
  )

  test('begins with why the run was not completed', () => {
    expect(linesOf(storedResult('aborted-two-phases'))[2]).toEqual({
      text: expect.toSay('text-run-aborted', { done: 2, rows: 5 }),
      style: 'bad',
    })
  })

  test('shows each check once if it held, else every row in which it did not', () => {
    const checks = [check('held'), check('violated', ['the sum is 99']), check('allowed', ['1 is lost'])]
    const variants = ['a', 'b'].map((label, row) =>
      fakeVariant({ row, label, phases: [fakePhase()], checks: label === 'a' ? checks : [check('held')] }),
    )
    const shown = linesOf(fakeResult({ variants })).filter(({ text }) => /^. is-/.test(text))
    expect(shown).toEqual([
      { text: '✓ is-held', style: 'good' },
      { text: expect.toSay('text-check-violated', { row: 'a', sum: 99 }), style: 'bad' },
      { text: expect.toSay('text-check-allowed', { row: 'a' }), style: 'plain' },
    ])
  })

  test('names the file to open, as a link, and what else is in it', () => {
    const [place, rest] = formatReportPlace(renderReport(storedResult('failover')), 'out/report.html', 80)
    expect(place).toEqual({ text: 'Report      out/report.html', style: 'plain', file: 'out/report.html' })
    expect(rest?.text.trim()).toBe('1 more table, 4 charts, the setting')
  })
})

const stored = 'fixtures/invented-results/quickstart.json'
const columnsOption = ['--columns', 'opsPerSecond']

test('is printed on a terminal, and Markdown elsewhere', async () => {
  const onTerminal = await runCommandLine(['report', stored, ...columnsOption], {
    screen: { ...plainScreen, isTerminal: true },
  })
  expect(onTerminal.stdout).toMatch(/^A mix people recognise\n\n/)
  const inPipe = await runCommandLine(['report', stored, ...columnsOption])
  expect(inPipe.stdout).toMatch(/^## A mix people recognise\n/)
  const asked = await runCommandLine(['report', stored, ...columnsOption, '--format', 'text'])
  expect(asked.stdout).toBe(onTerminal.stdout)
})

test('what a result brings along cannot steer the terminal, whose own colours stay', async () => {
  let written = ''
  const { printStatus, rewrite, rewrites } = fakeCliContext()
  const code = await runCli(['report', stored, ...columnsOption, '--format', 'text'], {
    write: (text) => void (written += text),
    status: { printStatus, rewrite, rewrites },
    env: {},
    stop: new AbortController().signal,
    screen: { ...plainScreen, show: ({ text, style }) => `\u001B[1m${style} ${text.replace('A', '\u001B')}` },
  })
  expect(code).toBe(0)
  expect(written.split('\n')[0]).toBe('\u001B[1mtitle \u001B mix people recognise')
})
