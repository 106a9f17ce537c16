import { describe, expect, test } from 'vitest'
import { parameterCell, requireParameter, varyingParameters } from '../../../src/metrics/rows/parameters.ts'
import { fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const variant = fakeVariant({
  label: 'the third row',
  parameters: {
    batch: { value: 100 },
    w: { value: 0, label: 'NORMAL' },
    index: { value: false, label: '' },
    journal: { value: true },
    disk: { value: { iops: 3000, type: 'STANDARD' } },
    nothing: { value: null },
    capped: { value: false, label: 'No' },
  },
})

test.each([
  ['batch', 100],
  ['w', 'NORMAL'],
  ['index', ''],
  ['journal', 'true'],
  ['disk', '{"iops":3000,"type":"STANDARD"}'],
  ['disk.iops', 3000],
  ['disk.toString', null],
  ['label', 'the third row'],
  ['nothing', null],
  ['missing', null],
])('a parameter in a table %s', (name, cell) => expect(parameterCell(variant, name)).toBe(cell))

test('a parameter that no row has is refused, with the nearest one', () => {
  const result = fakeResult({ variants: [variant] })
  expect(() => requireParameter(result, 'bacth')).toSay('row-parameter-unknown', { name: 'bacth', near: 'batch' })
})

const rows = (list: readonly Record<string, number>[], effective = {}) => {
  const valued = list.map((values) => Object.entries(values).map(([name, value]) => [name, { value }]))
  const variants = valued.map((parameters, row) => fakeVariant({ row, parameters: Object.fromEntries(parameters) }))
  return fakeResult({ spec: { effective }, variants })
}

describe('what distinguishes the rows', () => {
  test.each<[string, readonly Record<string, number>[], readonly string[]]>([
    [
      'is the parameter that varies',
      [
        { a: 1, b: 1 },
        { a: 2, b: 1 },
      ],
      ['a'],
    ],
    ['are the parameters that cross', [1, 2].flatMap((a) => [1, 2].map((b) => ({ a, b }))), ['a', 'b']],
    [
      'is the label where parameters vary together',
      [
        { a: 1, b: 1 },
        { a: 2, b: 2 },
      ],
      ['label'],
    ],
    ['is nothing for a single row', [{ a: 1 }], []],
  ])('%s', (_, list, names) => expect(varyingParameters(rows(list))).toEqual(names))

  test('is not a parameter that is computed from another', () => {
    const list = [
      { calls: 10, batch: 1 },
      { calls: 1, batch: 10 },
    ]
    expect(varyingParameters(rows(list, { variants: { batch: [1, 10] } }))).toEqual(['batch'])
  })
})
