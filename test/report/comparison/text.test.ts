import { describe, expect, test } from 'vitest'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { comparisonText, summarizeOutcome } from '../../../src/report/comparison/text.ts'
import { around, exampleAfter, exampleBefore, resultWith } from '../../fakes/compared-results.ts'

const comparison = compareResults(exampleBefore, exampleAfter)
const base = resultWith({ '': around(1000) })

describe('a comparison as text', () => {
  const text = comparisonText(comparison, 'text')

  test('begins with its outcome, and that nothing is paired', () => {
    expect(text).toMatch(
      /^Of 9 metrics, B is worse in 2, better in 2, the same in 4 and not clear in 1\. A and B were measured apart, so the time of day may explain a difference\.\n\n\|/,
    )
  })

  test('has a table with figures, intervals and verdicts', () => {
    expect(text).toMatch(/\| +Row \| +Metric \| +A \| +B \| +B \/ A of means \(95 % interval\) \| +Verdict \|/)
    expect(text).toMatch(
      /\| +batch 10 \| +read: Throughput \(ops\/s\) \| +1198 \| +1039 \| +0\.867 \(0\.8\d\d to 0\.8\d\d\) \| +worse \|/,
    )
    expect(text).toMatch(
      /\| +batch 1 \| +read: p99 \(ms\) .* no measurable difference \(one above [\d.]+ % would have shown\) \|/,
    )
  })

  test('ends with what limits it, one line each', () => {
    expect(text).toMatch(
      /\n\nThe columns A and B show the runs together, as their reports do: 8 in A and 8 in B\. B \/ A is the ratio of their geometric means.*\n\n- A was measured at [^\n]*\n$/,
    )
  })

  test('has no column of rows where there is one, and one of specs where there are several', () => {
    expect(comparisonText(compareResults(base, base), 'text')).not.toContain(' Row |')
    const [one, two] = ['one', 'two'].map((name) => resultWith({ '': around(1000) }, { spec: { name } }))
    const both = [one ?? base, two ?? base]
    expect(comparisonText(compareResults(both, both), 'text')).toMatch(/\| +Spec \| +Metric \|/)
  })

  test('escapes labels', () => {
    const odd = resultWith({ 'a|b<img>': around(1000) })
    expect(comparisonText(compareResults(odd, odd), 'text')).toContain(String.raw`a\|b\<img>`)
  })

  test('shows a ratio without an interval where runs are too few', () => {
    const few = resultWith({ '': [100, 110] })
    expect(comparisonText(compareResults(few, few), 'text')).toMatch(
      /\| +1\.000 \| no verdict yet \(4 more rounds needed\) \|/,
    )
  })
})

test('as a comment on a pull request it has a heading, and its limits are folded', () => {
  const text = comparisonText(comparison, 'github')
  expect(text).toMatch(/^### Performance: B against A\n\n\*\*Of 9 metrics, [^\n]*\*\*\n\n\|/)
  expect(text).toMatch(/\n\n<details>\n<summary>[^\n]*<\/summary>\n\n- A was measured [^]*\n\n<\/details>\n$/)
})

test('the outcome of one figure is a sentence too', () => {
  const one = compareResults(base, base, { measures: ['opsPerSecond'] })
  expect(summarizeOutcome(one)).toMatch(/^Of 1 metric, B is the same in 1\. /)
})
