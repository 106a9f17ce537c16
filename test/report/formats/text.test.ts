import { describe, expect, test } from 'vitest'
import { plainScreen } from '../../../src/cli/cli-context.ts'
import { runCli } from '../../../src/cli/run-cli.ts'
import { fillText, type TextLine } from '../../../src/report/formats/text-blocks.ts'
import { formatTextTable } from '../../../src/report/formats/text-table.ts'
import { formatTextReport } from '../../../src/report/formats/text.ts'
import { renderReport } from '../../../src/report/report.ts'
import { plainTable } from '../../../src/report/tables/table.ts'
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
  test('has title, figures, trust, runs, limiter, one table and what was as expected', () =>
    expect(textOf(storedResult('quickstart'))).toSay('text-report'))

  test('marks the rows that do not compare, and has a column for each row of a table that is too wide', () =>
    expect(textOf(storedResult('insert-batch-size'), 60)).toSay('text-report-narrow'))

  test.each(storedResults.flatMap((name) => [60, 80, 120].map((columns) => ({ name, columns }))))(
    'of $name fits $columns columns',
    ({ name, columns }) => {
      const lines = textOf(storedResult(name), columns).split('\n')
      expect(lines.filter((line) => line.length > columns)).toEqual([])
    },
  )

  test('begins with why the run was not completed', () =>
    expect(linesOf(storedResult('aborted-two-phases'))[1]).toEqual({
      text: expect.toSay('text-run-aborted', { done: 2, rows: 5 }),
      style: 'bad',
    }))

  test('shows each check once if it held, else every row in which it did not', () => {
    const checks = [check('held'), check('violated', ['the sum is 99']), check('allowed', ['1 is lost'])]
    const variants = ['a', 'b'].map((label, row) =>
      fakeVariant({ row, label, phases: [fakePhase()], checks: label === 'a' ? checks : [check('held')] }),
    )
    const shown = linesOf(fakeResult({ variants })).filter(({ text }) => /^. is-/.test(text))
    expect(shown).toEqual([
      { text: expect.toSay('text-check-violated', { row: 'a', sum: 99 }), style: 'bad' },
      { text: '✓ is-held', style: 'good' },
      { text: expect.toSay('text-check-allowed', { row: 'a' }), style: 'plain' },
    ])
  })
})

const stored = 'fixtures/invented-results/quickstart.json'
const columnsOption = ['--columns', 'opsPerSecond']

test('is printed on a terminal, and Markdown elsewhere', async () => {
  const onTerminal = await runCommandLine(['report', stored, ...columnsOption], {
    screen: { ...plainScreen, isTerminal: true },
  })
  expect(onTerminal.stdout).toMatch(/^A mix people recognise\n6856 ops\/s, /)
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

test('a line ends neither inside of a limit nor between a number and its unit', () => {
  expect(fillText('keeps responseP99Ms < 10 and errors == 0', 22)).toBe('keeps\nresponseP99Ms < 10 and\nerrors == 0')
  expect(fillText('it took 12.5 ms', 12)).toBe('it took\n12.5 ms')
})

test('texts at the end of rows are broken at words, the longest first, and none is cut', () => {
  const rows = [
    { calls: 1200, plan: 'COLLSCAN', shape: 'find orders customer, status, shipping.address.country' },
    { calls: 30, plan: 'IXSCAN { _id: 1 }', shape: 'insert orders' },
  ]
  const table = plainTable(
    'Shapes',
    [
      { title: 'Calls', cell: ({ calls }) => calls },
      { title: 'Plan', cell: ({ plan }) => plan },
      { title: 'Shape', cell: ({ shape }) => shape },
    ],
    rows,
  )
  expect(formatTextTable(table, 54).split('\n')).toEqual([
    'Calls  Plan               Shape',
    '─────  ─────────────────  ────────────────────────────',
    ' 1200  COLLSCAN           find orders customer,',
    '                          status,',
    '                          shipping.address.country',
    '   30  IXSCAN { _id: 1 }  insert orders',
  ])
})
