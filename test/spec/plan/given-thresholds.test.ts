import { describe, expect, test } from 'vitest'
import { load, problemsOf } from '../../fakes/a-spec.ts'

const thresholdsOf = (given: readonly unknown[], overrides: Parameters<typeof load>[1] = {}) =>
  load({ thresholds: given }, overrides).rows[0]?.spec.thresholds

test('a threshold is a text, or a text that may end the run', () =>
  expect(thresholdsOf(['p99Ms < 5', { holds: 'errors == 0', abort: true }, { holds: 'failed == 0' }])).toEqual([
    { holds: 'p99Ms < 5', abort: false },
    { holds: 'errors == 0', abort: true },
    { holds: 'failed == 0', abort: false },
  ]))

test('those of the command line come after those of the spec', () =>
  expect(thresholdsOf(['p99Ms < 5'], { thresholds: ['findOne.errors == 0'] })?.map(({ holds }) => holds)).toEqual([
    'p99Ms < 5',
    'findOne.errors == 0',
  ]))

test('the command line may let all of them end the run', () => {
  const all = thresholdsOf(['p99Ms < 5'], { thresholds: ['errors == 0'], abortOnThreshold: true })
  expect(all?.map(({ abort }) => abort)).toEqual([true, true])
})

describe('one that cannot be checked is refused before anything runs', () => {
  test.each([
    ['p99Ms', 'spec-threshold-unreadable'],
    ['p99ms < 5', 'spec-threshold-metric-misspelt'],
    ['raed.p99Ms < 5', 'spec-threshold-phase-misspelt'],
    ['latencyMs < 5', 'spec-threshold-metric-of-charts'],
  ])('%s on the command line', (text, code) => expect(() => load({}, { thresholds: [text] })).toSay(code))

  test('and so are all others that cannot be, at once and each once', () => {
    const thresholds = ['p99Ms', 'errors == 0', 'p99ms < 5', 'raed.p99Ms < 5']
    const document = { _id: { '@row': {} }, n: { '@param': 'n' } }
    const rows = { variants: { n: [1, 2] }, data: { collection: 'things', rows: 10, document } }
    expect(() => load(rows, { thresholds })).toSay('spec-thresholds-refused')
  })

  test.each([
    [['p99ms < 5'], 'spec-threshold-of-spec-misspelt'],
    [[{ holds: 'p99Ms' }], 'spec-threshold-of-spec-unreadable'],
    [[{ hold: 'p99Ms < 5' }], 'spec-threshold-of-spec-key'],
  ])('%j in the spec', (given, code) => expect(problemsOf({ thresholds: given })).toSay(code))
})
