import { describe, expect, test } from 'vitest'
import { load } from '../../fakes/a-spec.ts'

const thresholdsOf = (given: readonly unknown[], overrides: Parameters<typeof load>[1] = {}) =>
  load({ thresholds: given }, overrides).rows[0]?.spec.thresholds

test('a threshold is a text, or a text that may end the run', () => {
  expect(thresholdsOf(['p99Ms < 5', { holds: 'errors == 0', abort: true }, { holds: 'failed == 0' }])).toEqual([
    { holds: 'p99Ms < 5', abort: false },
    { holds: 'errors == 0', abort: true },
    { holds: 'failed == 0', abort: false },
  ])
})

test('those of the command line come after those of the spec', () => {
  expect(thresholdsOf(['p99Ms < 5'], { thresholds: ['findOne.errors == 0'] })?.map(({ holds }) => holds)).toEqual([
    'p99Ms < 5',
    'findOne.errors == 0',
  ])
})

test('the command line may let all of them end the run', () => {
  const all = thresholdsOf(['p99Ms < 5'], { thresholds: ['errors == 0'], abortOnThreshold: true })
  expect(all?.map(({ abort }) => abort)).toEqual([true, true])
})

describe('one that cannot be checked is refused before anything runs', () => {
  test.each([
    ['p99Ms', 'The threshold "p99Ms" cannot be read'],
    ['p99ms < 5', 'The threshold "p99ms < 5" cannot be checked: there is no metric "p99ms"; did you mean "p99Ms"?'],
    [
      'raed.p99Ms < 5',
      'The threshold "raed.p99Ms < 5" cannot be checked: no measured phase or operation is called "raed"; did you mean "read.p99Ms"?',
    ],
    [
      'latencyMs < 5',
      'The threshold "latencyMs < 5" cannot be checked: "latencyMs" has values per operation, for line charts with "x": "operation"',
    ],
  ])('%s on the command line', (text, message) => {
    expect(() => load({}, { thresholds: [text] })).toThrow(expect.objectContaining({ code: 'usage', message }))
  })

  test('and so are all others that cannot be, at once and each once', () => {
    const thresholds = ['p99Ms', 'errors == 0', 'p99ms < 5', 'raed.p99Ms < 5']
    const message = [
      'The threshold "p99Ms" cannot be read',
      'The threshold "p99ms < 5" cannot be checked: there is no metric "p99ms"; did you mean "p99Ms"?',
      'The threshold "raed.p99Ms < 5" cannot be checked: no measured phase or operation is called "raed"; did you mean "read.p99Ms"?',
    ].join('\n')
    const hint = expect.stringMatching(/^Write .* `mongo-perf list columns` names the metrics/)
    const document = { _id: { '@row': {} }, n: { '@param': 'n' } }
    const rows = { variants: { n: [1, 2] }, data: { collection: 'things', rows: 10, document } }
    expect(() => load(rows, { thresholds })).toThrow(expect.objectContaining({ code: 'usage', message, hint }))
  })

  test.each([
    [['p99ms < 5'], 'thresholds[0]: there is no metric "p99ms"; did you mean "p99Ms"?'],
    [[{ holds: 'p99Ms' }], 'thresholds[0].holds: must be a metric, a comparison (< <= > >= ==) and a number'],
    [[{ hold: 'p99Ms < 5' }], 'thresholds[0].hold: unknown key "hold"; did you mean "holds"?'],
  ])('%j in the spec', (given, message) => {
    expect(() => load({ thresholds: given })).toThrow(message)
  })
})
