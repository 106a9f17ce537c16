import { expect, test } from 'vitest'
import { listRows } from '../../../src/metrics/rows/rows.ts'
import { toLabel, labelOn, titledLabel, writeConstants } from '../../../src/report/charts/labels.ts'
import { fail } from '../../fakes/fail.ts'
import { fakeResult, fakeVariant } from '../../fakes/fake-result.ts'

const variant = fakeVariant({
  label: 'the third row',
  parameters: {
    batch: { value: 100 },
    w: { value: 0, label: 'NORMAL' },
    index: { value: false, label: '' },
    journal: { value: true },
    disk: { value: { iops: 3000, publishedType: 'STANDARD' } },
    nothing: { value: null },
    capped: { value: false, label: 'No' },
    tags: { value: ['a', true] },
  },
})
const [row = fail('no row')] = listRows(fakeResult({ variants: [variant] }), 'variants')

test.each([
  ['batch', '100'],
  ['w', 'NORMAL'],
  ['index', 'no'],
  ['journal', 'yes'],
  ['disk', 'iops 3000, published type STANDARD'],
  ['disk.publishedType', 'STANDARD'],
  ['nothing', 'none'],
  ['capped', 'no'],
  ['tags', 'a, yes'],
  ['label', 'the third row'],
])('the label of a parameter of %s is what people write', (parameter, text) =>
  expect(labelOn(row, { parameter })).toBe(text),
)

test.each([
  [
    ['BUSINESS_ID', 'OBJECT_ID', 'UUID', ''],
    ['Business id', 'Object id', 'UUID', ''],
  ],
  [
    ['SAFE', 'NORMAL', 'REPLICAS_SAFE'],
    ['SAFE', 'NORMAL', 'REPLICAS_SAFE'],
  ],
  [
    ['snake_case', 'REPLICA_SAFE (2)', 'A'],
    ['snake_case', 'REPLICA_SAFE (2)', 'A'],
  ],
])('the labels %j are written as %j', (labels, written) => expect(writeConstants(labels)).toEqual(written))

test.each([
  ['batch', 'Size: 100'],
  ['w', 'NORMAL'],
  ['index', 'Size: no'],
  ['journal', 'Size: yes'],
  ['disk.publishedType', 'STANDARD'],
  ['capped', 'Size: no'],
])('a parameter in a legend %s has its title where the label alone is ambiguous', (parameter, text) =>
  expect(titledLabel(row, { parameter }, 'Size')).toBe(text),
)

test('the name of a parameter is written in words', () => {
  const labels = ['secondaryIndexes', 'sizeKB', 'w', 'writeConcern'].map(toLabel)
  expect(labels).toEqual(['secondary indexes', 'size KB', 'w', 'write concern'])
})
