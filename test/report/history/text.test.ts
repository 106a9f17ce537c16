import { describe, expect, test } from 'vitest'
import { historyCharts } from '../../../src/report/history/chart.ts'
import { type HistoryEntry } from '../../../src/report/history/entry.ts'
import { createHistorySeries } from '../../../src/report/history/history.ts'
import { historyText } from '../../../src/report/history/text.ts'
import { exampleHistory, fakeEntry, noisy } from '../../fakes/histories.ts'
import { inLight } from '../../fakes/in-light.ts'

const example = createHistorySeries('main', exampleHistory)
const textOf = (entries: readonly HistoryEntry[]): string => historyText(createHistorySeries('main', entries), 'text')

describe('a history as text', () => {
  test('begins with what it is, and how many metrics changed', () => {
    const parts = historyText(example, 'text').split('\n\n')
    expect(parts.slice(0, 2).join('\n')).toSay('history-beginning')
    expect(parts[2]).toMatch(/^- /)
  })

  test('names each change with both runs, and what else changed there', () =>
    expect(historyText(example, 'text')).toHaveLine('history-change', { row: 'batch 10' }))

  test('has a table with the first and the last value', () =>
    expect(historyText(example, 'text')).toMatch(
      /\| Row +\| Metric +\| +Runs \| +First \| Last \(interval\) +\| +Changes \|\n[^\n]*\n\| batch 1 +\| Throughput \(ops\/s\) \| +20 \| +\d+ \| \d+ \(\d+ to \d+\) +\| +0 \|/,
    ))

  test('distinguishes runs of one day by their time', () => {
    const entries = Array.from({ length: 20 }, (_, run) =>
      fakeEntry(
        1,
        { '': noisy(run < 10 ? 1000 : 2100, run) },
        { date: `2026-11-01T${String(run).padStart(2, '0')}:30:00.000Z`, commit: null },
      ),
    )
    expect(textOf(entries)).toHaveLine('history-change-of-one-day')
  })

  test('makes no claim below its data', () => {
    expect(textOf(exampleHistory.slice(0, 7))).toHaveLine('history-of-seven-runs')
    expect(textOf(exampleHistory.slice(0, 1))).toContain('\n\n1 run of 2026-11-01 (abc0001): changes are looked for')
  })

  test('says which machine and spec a series is of where there are several, and why they are split', () => {
    const other = { machine: 'Other CPU, 8 cores, 32 GB' }
    const text = textOf([...exampleHistory, fakeEntry(21, { 'batch 1': 4000 }, other)])
    expect(text).toContain('1 run of 2026-11-21 (abc0021), spec aaaaaaaa, on Other CPU, 8 cores, 32 GB: ')
    expect(text).toHaveLine('history-method-of-series')
    expect(historyText(example, 'text')).toHaveLine('history-method')
  })

  test('is folded as a comment on a pull request', () =>
    expect(historyText(example, 'github')).toMatch(
      /^### History of example \(main\)\n[^]*\n<details>\n[^]*<\/details>\n$/,
    ))
})

describe('the charts of a history', () => {
  const [first, ...others] = historyCharts(example)

  test('are one for each measure, with a line for each row', () => {
    expect([first, ...others].map((chart) => chart?.file)).toEqual([
      'main-example-opspersecond.png',
      'main-example-findone-p99ms.png',
    ])
    expect(inLight(first).chart.data.datasets.map(({ label }) => label)).toEqual(['batch 1', 'batch 10'])
  })

  test('have intervals, and a mark between the runs of a change', () => {
    expect(inLight(first).marks).toHaveLength(40)
    expect(inLight(first).marks[0]?.range).toEqual([1940, 2040])
    expect(inLight(first).overlay).toMatchObject({
      bands: [{ from: 11.5, to: 11.5 }],
      labels: [{ at: 11.5, text: expect.stringMatching(/^batch 10: −12\.\d+ %$/) }],
    })
  })

  test('are not drawn of a single run', () =>
    expect(historyCharts(createHistorySeries('main', exampleHistory.slice(0, 1)))).toEqual([]))
})
