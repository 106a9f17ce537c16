import { describe, expect, test } from 'vitest'
import { createCharts } from '../../../src/report/charts/charts.ts'
import { compareResults } from '../../../src/report/comparison/compare-results.ts'
import { evaluateReport } from '../../../src/report/definition/report-spec.ts'
import { formatSearchAnswers } from '../../../src/report/formats/text.ts'
import type { Search } from '../../../src/report/prose/search-text.ts'
import { renderReport } from '../../../src/report/report.ts'
import type { Result } from '../../../src/results/schema.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeOpenLoop, fakeResult, fakeVariant } from '../../fakes/fake-result.ts'
import {
  aStep,
  abortedSearch,
  abortedStep,
  foundCache,
  foundRate,
  missedRate,
  phaseOfSearch,
  resultOfSearches,
} from '../../fakes/searches.ts'

const searched = (ratePerSecond: number) => {
  const openLoop = fakeOpenLoop({ ratePerSecond })
  const phases = [phaseOfSearch({ ...foundRate, found: ratePerSecond }, { openLoop })]
  return fakeResult({ variants: [fakeVariant({ phases })] })
}

describe('the report of a search for a rate', () => {
  test('begins with which rate keeps the limits, then what limits it, and the steps', () => {
    const { markdown } = renderReport(resultOfSearches({}))
    const [, section = ''] = markdown.split('### Rate under the Limits\n\n')
    expect(section.split('\n\n').slice(0, 2)).toSay('rate-meaning')
    expect(section).toMatch(/\| +3200 \| missed, ended early +\| +900 \| +0 \|/)
    expect(section).toMatch(/\| +1750 \| held, to confirm +\| +8 \|/)
  })

  test('names rows where there are several', () => {
    const { markdown } = renderReport(resultOfSearches({}, { found: 900, low: 800, high: 1000 }))
    expect(markdown).toContain('**row 1: About 1750 operations per second (between 1600 and 1900) keep')
    expect(markdown).toContain('**row 2: About 900 operations per second (between 800 and 1000) keep')
  })

  test('compares with another search, whatever rate that found: the rate is a result, and no difference in load', () => {
    const { figures } = compareResults(searched(1750), searched(1000))
    expect(JSON.stringify(figures)).toContain('foundRate')
  })

  test('is in the JSON with all steps', () =>
    expect(renderReport(resultOfSearches({})).json.searches).toEqual([
      { label: '', run: 1, phase: 'read', search: foundRate },
    ]))

  test('draws what is limited against the rate, with the limit as a line, and the knee', () => {
    const [chart = fail('no chart')] = createCharts(evaluateReport(resultOfSearches({})))
    const { picture, title } = chart
    expect(title).toBe('Response p99 (ms) against Rate (ops/s): 1750 ops/s (1600 to 1900)')
    expect(picture.guide).toEqual({ kind: 'level', at: 10, band: [1, 1] })
    const points = picture.lines.flatMap((line) => line.points)
    expect(points.map(({ x, y, mark = '', trust = '' }) => [x, y, mark, trust])).toEqual([
      [800, 2, 'knee', ''],
      [1600, 6, '', ''],
      [1750, 8, '', ''],
      [3200, 900, '', 'do not compare'],
    ])
    const [low, high] = picture.y[0]?.range ?? []
    expect(low).toBeLessThan(2)
    expect(high).toBeGreaterThan(900)
    expect(picture.legend).toContain('; ring: knee, the highest rate divided by latency')
  })
})

const answerOf = (result: Result): string =>
  formatSearchAnswers(result, renderReport(result), 80)
    .map(({ text }) => text)
    .join('\n')

describe('the answer for a terminal', () => {
  test('says which rate keeps the limits, what would raise it, and how far to believe it', () =>
    expect(answerOf(resultOfSearches({}))).toSay('rate-answer'))

  test('explains the rate by what limits the next one, where nothing else is known', () => {
    const steps = [aStep(1600, 3), aStep(1900, 30, { purpose: 'again', limitedBy: 'tickets (128 of 128 reads)' })]
    expect(answerOf(resultOfSearches({ steps, found: 1600 }))).toSay('rate-answer-limited-above')
  })

  test('names what was busiest where nothing was used up', () => {
    const steps = [aStep(1600, 3), aStep(1900, 30, { purpose: 'again' })]
    expect(answerOf(resultOfSearches({ steps, found: 1600 }))).toSay('rate-answer-nothing-used-up')
  })

  test('does not call the client busiest where the server does not tell how busy its host is', () => {
    const steps = [aStep(1600, 3, { busiest: null }), aStep(1900, 30, { purpose: 'again', busiest: null })]
    expect(answerOf(resultOfSearches({ steps, found: 1600 }))).toSay('rate-answer-busiest-not-known')
  })

  test.for<readonly [string, Partial<Search>, string]>([
    ['the lowest rate missed', missedRate, 'rate-answer-missed'],
    ['no rate missed', { found: 20_000, low: 20_000, high: null }, 'rate-answer-without-end'],
    ['it was aborted', abortedSearch, 'rate-answer-of-aborted-search'],
    ['it was aborted in its first step', abortedStep, 'rate-answer-of-aborted-step'],
    ['nothing confirmed it', { confirmed: false }, 'rate-answer-not-confirmed'],
  ])('where %s', ([, search, code]) => expect(answerOf(resultOfSearches(search))).toSay(code))
})

const answerFor = (search: Partial<Search>): string => answerOf(resultOfSearches({ ...foundCache, ...search }))

describe('a search for a cache', () => {
  test('begins its report with the smallest that keeps the limits, and lists its steps', () => {
    const { markdown } = renderReport(resultOfSearches(foundCache))
    const [, section = ''] = markdown.split('### Cache under the Limits\n\n')
    expect(section.split('\n\n').slice(0, 2)).toSay('cache-meaning')
    expect(section).toMatch(/\| +Cache \(MB\) \|/)
    expect(section).toMatch(/\| +1190 \| held, to confirm +\| +8 \|/)
  })

  test('draws what is limited against the cache, with the limit as a line, and without a knee', () => {
    const [{ picture, title } = fail('no chart')] = createCharts(evaluateReport(resultOfSearches(foundCache)))
    expect(title).toBe('Response p99 (ms) against Cache (MB): 1190 MB of cache (1000 to 1410)')
    expect(picture.guide).toEqual({ kind: 'level', at: 10, band: [1, 1] })
    const points = picture.lines.flatMap((line) => line.points)
    expect(points.map(({ x, y, mark = '', trust = '' }) => [x, y, mark, trust])).toEqual([
      [1000, 20, '', 'do not compare'],
      [1190, 8, '', ''],
      [1410, 5, '', ''],
      [2000, 4, '', ''],
    ])
    expect(picture.legend).toBe('Line: the limit, responseP99Ms < 10; crosses: steps that missed')
  })

  test('draws steps that measured 0 too', () => {
    const steps = [aStep(200, 0), aStep(100, 4), aStep(50, 900)]
    const [{ picture } = fail('no chart')] = createCharts(evaluateReport(resultOfSearches({ ...foundCache, steps })))
    expect(picture.lines.flatMap(({ points }) => points.map(({ x, y }) => [x, y]))).toContainEqual([200, 0])
    expect(picture.y[0]?.scale).toBe('linear')
  })

  test('explains no crosses where no step missed', () => {
    const steps = [aStep(200, 3), aStep(100, 4)]
    const [{ picture } = fail('no chart')] = createCharts(evaluateReport(resultOfSearches({ ...foundCache, steps })))
    expect(picture.legend).toBe('Line: the limit, responseP99Ms < 10')
  })

  test.for<readonly [string, Partial<Search>, string]>([
    ['all held', { found: 250, low: null, high: 500 }, 'cache-answer-without-end'],
    [
      'the largest missed',
      { ...missedRate, low: 8000, high: null, steps: [aStep(8000, 30), aStep(8000, 30, { purpose: 'again' })] },
      'cache-answer-missed',
    ],
    [
      'it was aborted',
      { ...missedRate, low: null, high: 2000, steps: [aStep(2000, 4)] },
      'cache-answer-of-aborted-search',
    ],
    ['nothing confirmed it', { confirmed: false }, 'cache-answer-not-confirmed'],
  ])('where %s', ([, search, code]) => expect(answerFor(search)).toSay(code))
})
