import { describe, expect, test } from 'vitest'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { comparisonText } from '../../../src/report/comparison/text.ts'
import { around, exampleAfter, exampleBefore, resultWith } from '../../fakes/compared-results.ts'

const comparison = compareResults(exampleBefore, exampleAfter)
const base = resultWith({ '': around(1000) })

describe('a comparison as text', () => {
  const text = comparisonText(comparison, 'text')

  const [answer = '', method = '', limits = '', table = '', rules = ''] = text.split('\n\n')

  test('begins with its answer', () => expect(answer).toSay('comparison-answer'))

  test('has a table with figures, intervals and verdicts', () => {
    const rows = table.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
    expect(rows[0]).toBe('| Row | Metric | A | B | B / A (95 %) | Verdict | Remark |')
    const slower =
      /^\| batch 10 \| read: Throughput \(ops\/s\) \| 1198 \| 1039 \| 0\.867 \(0\.8\d\d to 0\.8\d\d\) \| ▼ worse \| \|$/
    expect(rows).toContainEqual(expect.stringMatching(slower))
    expect(rows.find((row) => row.startsWith('| batch 1 | read: p99 (ms)'))).toSay('comparison-row-not-clear')
  })

  test('says first how it was measured and what limits it, and last how verdicts are made', () => {
    expect(method).toSay('comparison-method')
    expect(limits).toSay('comparison-limits')
    expect(rules).toSay('comparison-rules')
  })

  test('has no column of rows where there is one, and one of specs where there are several', () => {
    const later = resultWith({ '': around(1000).toReversed() })
    expect(comparisonText(compareResults(base, later), 'text')).not.toContain(' Row |')
    const [both, others] = [around(1000), around(1000).toReversed()].map((rates) =>
      ['one', 'two'].map((name) => resultWith({ '': rates }, { spec: { name } })),
    )
    expect(comparisonText(compareResults(both ?? [], others ?? []), 'text')).toMatch(/\| Spec +\| Metric +\|/)
  })

  test('of a result with itself says only that', () =>
    expect(comparisonText(compareResults(base, base), 'text').trim()).toSay('compared-with-itself'))

  test('shows a ratio without an interval where runs are too few', () => {
    const few = resultWith({ '': [100, 110] })
    const row = comparisonText(compareResults(few, resultWith({ '': [110, 100] })), 'text')
      .split('\n')
      .find((line) => line.includes('Throughput'))
    expect(row?.split('|').slice(4, 6).join('|')).toSay('comparison-cells-of-few-runs')
  })
})

test('as a comment on a pull request it has a heading, and its limits are folded', () => {
  const text = comparisonText(comparison, 'github')
  expect(text).toMatch(
    /^### Performance: B against A\n\n\*\*B is worse: [^\n]*\*\*\n\nA and B were measured apart[^\n]*\n\n\|/,
  )
  expect(text).toMatch(/\n\n<details>\n<summary>[^\n]*<\/summary>\n\n- A was measured [^]*\n\n<\/details>\n$/)
})
