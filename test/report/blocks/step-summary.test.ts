import { describe, expect, test } from 'vitest'
import { renderReport } from '../../../src/report/report.ts'
import { storedResult } from '../../fakes/stored-results.ts'

const { summary, markdown } = renderReport(storedResult('quickstart'))

describe('the summary of a CI job', () => {
  test('has no pictures, which such a page cannot show', () => {
    expect(markdown).toContain('<img ')
    expect(summary).not.toContain('<img ')
  })

  test('begins with the verdicts and folds the setting', () => {
    const folded = ['<summary>What was measured', '**Description**', '**Base Instance**', '_Measured ']
    const texts = ['## ', '### Thresholds', '### Performance', ...folded]
    const places = texts.map((text) => summary.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })
})
