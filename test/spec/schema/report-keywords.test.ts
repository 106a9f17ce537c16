import { describe, expect, test } from 'vitest'
import { load, problemsOf } from '../../fakes/a-spec.ts'

/** Two rows. */
const parts = {
  variants: { batch: [{ label: 'ONE', value: 1 }, 10] },
  parameters: { twice: { '@multiply': [2, { '@param': 'batch' }] } },
}
const reportOf = (report: object) =>
  load({ ...parts, report: { charts: [uses], ...report } }).rows.map(({ spec }) => spec.report)
const problems = (report: object) => problemsOf({ ...parts, report: { charts: [uses], ...report } })
const uses = { kind: 'bar', x: { parameter: 'twice' }, y: ['p99Ms'] }
const table = (more: object) => ({ tables: [{ title: 'T', columns: ['errors'], ...more }] })

describe('expressions of the report stay as they were written', () => {
  const expression = { '@eq': [{ '@param': 'twice' }, { '@add': [1, 1] }] }

  test('in "where", "value" and "let", for they are computed row by row', () => {
    const [first, second] = reportOf({
      let: { x: expression },
      tables: [{ title: 'T', where: expression, columns: [{ value: expression, title: 'V' }] }],
      charts: [{ ...uses, where: expression }],
    })
    expect(first).toEqual(second)
    expect(first?.let).toEqual({ x: expression })
    expect(first?.tables?.[0]).toMatchObject({ where: expression, columns: [{ value: expression }] })
    expect(first?.charts?.[0]).toMatchObject({ where: expression })
  })

  test('while all else is folded as anywhere', () => {
    const [first] = reportOf(
      table({ title: { '@concat': ['a', 'b'] }, columns: [{ metric: 'p99Ms', digits: { '@add': [1, 1] } }] }),
    )
    expect(first?.tables?.[0]).toMatchObject({ title: 'ab', columns: [{ metric: 'p99Ms', digits: 2 }] })
  })
})

test.each(['@metric', '@ratio', '@cluster'])('%s is refused outside of the report', (word) => {
  const document = { _id: { '@row': {} }, a: { [word]: 'p99Ms' } }
  expect(problemsOf({ data: { collection: 'things', rows: 10, document } })).toSay('spec-report-word-outside', { word })
})

test('a word of the report is refused where the report wants plain values', () =>
  expect(problems(table({ title: { '@metric': 'p99Ms' } }))).toSay('spec-report-word-in-title'))

describe('what an expression names is looked up', () => {
  test.each<[string, object, string]>([
    ['words', table({ where: { '@metrik': 'p99Ms' } }), 'spec-report-word-misspelt'],
    ['parameters', table({ where: { '@eq': [{ '@param': 'bach' }, 1] } }), 'spec-report-parameter-misspelt'],
    ['addresses', table({ where: { '@metric': 'p99ms' } }), 'spec-report-metric-misspelt'],
    [
      'parameters of "where"',
      { let: { x: { '@max': { '@metric': { of: 'p99Ms', where: { '@eq': [{ '@param': 'bach' }, 1] } } } } } },
      'spec-report-where-misspelt',
    ],
    ['parameters of "at"', table({ columns: [{ metric: 'p99Ms', at: { bach: 1 } }] }), 'spec-report-at-misspelt'],
    ['values of "at"', table({ columns: [{ metric: 'p99Ms', at: { batch: 'TWO' } }] }), 'spec-report-at-value-unknown'],
    ['what varies', table({ columns: [{ metric: 'p99Ms', at: { twice: 2 } }] }), 'spec-report-at-not-varied'],
    [
      'rows of @metric',
      { let: { x: { '@metric': { of: 'p99Ms', at: { label: 'batch 2' } } } } },
      'spec-report-at-label-misspelt',
    ],
    ['names of texts', { let: { ratio: 1 }, analysis: ['{{rato}}'] }, 'spec-report-let-misspelt'],
  ])('%s', (_, report, code) => expect(problems(report)).toSay(code))

  test('a row that "at" looks at may be one that --only leaves out', () => {
    const report = table({ columns: [{ metric: 'p99Ms', at: { batch: 10 } }] })
    const given = { ...parts, report: { charts: [uses], ...report } }
    expect(problemsOf(given, { only: ['batch=ONE'] })).toEqual([])
    const wrong = table({ columns: [{ metric: 'p99Ms', at: { bach: 10 } }] })
    expect(problemsOf({ ...parts, report: { charts: [uses], ...wrong } }, { only: ['batch=ONE'] })).toHaveLength(1)
  })

  test('the label of a row needs no parameter of that name', () =>
    expect(problems(table({ where: { '@in': [{ '@param': 'label' }, ['batch ONE']] } }))).toEqual([]))
})

describe('there is one report for all rows', () => {
  test('so its other parts may not differ from row to row', () =>
    expect(problems(table({ title: { '@concat': ['Batch ', { '@param': 'batch' }] } }))).toSay(
      'spec-report-title-of-rows',
    ))

  test('and no thresholds of single rows', () => {
    const thresholds = [{ '@concat': ['p99Ms < ', { '@param': 'batch' }] }]
    expect(problemsOf({ ...parts, report: { charts: [uses] }, thresholds })).toSay('spec-report-threshold-of-rows')
  })
})

test('a description that is filled in stands in the report part', () => {
  const found = problemsOf({ description: ['It is', '{{ratio}} times as fast'], report: { let: { ratio: 2 } } })
  expect(found).toSay('spec-report-description-outside')
})

const sentence = (node: unknown) => problems({ let: { base: node, x: { '@var': 'base' } }, analysis: 'It is {{x}}.' })

describe('a sentence stands once', () => {
  test.each<object>([
    { '@metric': 'p99Ms' },
    { '@param': 'batch' },
    { '@param': 'label' },
    { '@param': 'twice' },
    { '@add': [1, { '@param': 'batch' }] },
    { '@cluster': { of: { '@metric': 'p99Ms' }, names: ['a', 'b'] } },
    { '@ratio': { of: 'p99Ms', at: { batch: 10 }, to: {} } },
  ])('so it refuses what differs from row to row: %j', (node) =>
    expect(sentence(node)[0]).toSay('spec-report-sentence-of-rows'),
  )

  test.each([
    { '@metric': { of: 'p99Ms', at: { batch: 10 } } },
    { '@metric': { of: 'p99Ms', at: { label: 'batch ONE' } } },
    { '@max': { '@metric': { of: 'p99Ms', where: { '@gt': [{ '@param': 'batch' }, 1] } } } },
    { '@ratio': { of: 'p99Ms', at: { batch: 10 }, to: { label: 'batch ONE' } } },
    { '@add': [1, 2] },
    { '@literal': { '@param': 'batch' } },
  ])('and takes what is the same for all: %j', (node) => expect(sentence(node)).toEqual([]))
})
