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
  expect(problemsOf({ data: { collection: 'things', rows: 10, document } })).toEqual([
    `data.document.a.${word}: "${word}" works only in "report": it reads what was measured`,
  ])
})

test('a word of the report is refused where the report wants plain values', () => {
  expect(problems(table({ title: { '@metric': 'p99Ms' } }))).toEqual([
    'report.tables[0].title: "@metric" reads what was measured; it works only in "value", "where" and "let" of the report',
  ])
})

describe('what an expression names is looked up', () => {
  test.each<[string, object, string]>([
    [
      'words',
      table({ where: { '@metrik': 'p99Ms' } }),
      'report.tables[0].where.@metrik: unknown keyword "@metrik"; did you mean "@metric"?',
    ],
    [
      'parameters',
      table({ where: { '@eq': [{ '@param': 'bach' }, 1] } }),
      'report.tables[0].where.@eq[0].@param: there is no parameter "bach"; did you mean "batch"?',
    ],
    [
      'addresses',
      table({ where: { '@metric': 'p99ms' } }),
      'report.tables[0].where.@metric: there is no metric "p99ms"; did you mean "p99Ms"?',
    ],
    [
      'parameters of "at"',
      table({ columns: [{ metric: 'p99Ms', at: { bach: 1 } }] }),
      'report.tables[0].columns[0].at.bach: there is no parameter "bach"; did you mean "batch"?',
    ],
    [
      'values of "at"',
      table({ columns: [{ metric: 'p99Ms', at: { batch: 'TWO' } }] }),
      'report.tables[0].columns[0].at.batch: no row has "batch" "TWO"; known: ONE, 10',
    ],
    [
      'what varies',
      table({ columns: [{ metric: 'p99Ms', at: { twice: 2 } }] }),
      'report.tables[0].columns[0].at.twice: "twice" does not vary from row to row; known: batch, label',
    ],
    [
      'rows of @metric',
      { let: { x: { '@metric': { of: 'p99Ms', at: { label: 'batch 2' } } } } },
      'report.let.x.@metric.at.label: no row has "label" "batch 2"; did you mean "batch 10"?',
    ],
    [
      'names of texts',
      { let: { ratio: 1 }, analysis: ['{{rato}}'] },
      'report.analysis[0]: "let" of the report has no value "rato"; did you mean "ratio"?',
    ],
  ])('%s', (_, report, problem) => {
    const [found = '', ...others] = problems(report)
    expect(others).toEqual([])
    expect(found.replace(/known: batch, label.*/, 'known: batch, label')).toBe(problem)
  })

  test('a row that "at" looks at may be one that --only leaves out', () => {
    const report = table({ columns: [{ metric: 'p99Ms', at: { batch: 10 } }] })
    const given = { ...parts, report: { charts: [uses], ...report } }
    expect(problemsOf(given, { only: ['batch=ONE'] })).toEqual([])
    const wrong = table({ columns: [{ metric: 'p99Ms', at: { bach: 10 } }] })
    expect(problemsOf({ ...parts, report: { charts: [uses], ...wrong } }, { only: ['batch=ONE'] })).toHaveLength(1)
  })

  test('the label of a row needs no parameter of that name', () => {
    expect(problems(table({ where: { '@in': [{ '@param': 'label' }, ['batch ONE']] } }))).toEqual([])
  })
})

describe('there is one report for all rows', () => {
  test('so its other parts may not differ from row to row', () => {
    expect(problems(table({ title: { '@concat': ['Batch ', { '@param': 'batch' }] } }))).toEqual([
      'report.tables[0].title: differs from row to row; only "value", "where" and "let" may',
    ])
  })

  test('and no thresholds of single rows', () => {
    const thresholds = [{ '@concat': ['p99Ms < ', { '@param': 'batch' }] }]
    expect(problemsOf({ ...parts, report: { charts: [uses] }, thresholds })).toEqual([
      'thresholds[0].holds: differs from row to row',
    ])
  })
})

test('a description that is filled in stands in the report part', () => {
  const found = problemsOf({ description: ['It is', '{{ratio}} times as fast'], report: { let: { ratio: 2 } } })
  expect(found).toEqual([
    'description: "{{ratio}}" works only in texts of the report: write this in "report.description"',
  ])
})

const sentence = (node: unknown) => problems({ let: { base: node, x: { '@var': 'base' } }, analysis: 'It is {{x}}.' })

describe('a sentence stands once', () => {
  test.each([
    { '@metric': 'p99Ms' },
    { '@param': 'batch' },
    { '@param': 'label' },
    { '@param': 'twice' },
    { '@add': [1, { '@param': 'batch' }] },
    { '@cluster': { of: { '@metric': 'p99Ms' }, names: ['a', 'b'] } },
    { '@ratio': { of: 'p99Ms', at: { batch: 10 }, to: {} } },
  ])('so it refuses what differs from row to row: %j', (node) => {
    expect(sentence(node)[0]).toMatch(/^report\.analysis: "x" differs from row to row: .* "at" for batch$/)
  })

  test.each([
    { '@metric': { of: 'p99Ms', at: { batch: 10 } } },
    { '@metric': { of: 'p99Ms', at: { label: 'batch ONE' } } },
    { '@ratio': { of: 'p99Ms', at: { batch: 10 }, to: { label: 'batch ONE' } } },
    { '@add': [1, 2] },
    { '@literal': { '@param': 'batch' } },
  ])('and takes what is the same for all: %j', (node) => expect(sentence(node)).toEqual([]))
})
