import { expect, test } from 'vitest'
import { valuesAt } from '../../../src/language/values/bson-types.ts'

const document = {
  a: 1,
  none: null,
  tags: ['x', 'y'],
  items: [{ sku: 1, of: [{ n: 1 }, { n: 2 }] }, { sku: 2 }, 'no document', [{ sku: 3 }]],
  inner: { deep: { n: 5 } },
}

test.each<[string, readonly unknown[]]>([
  ['a', [1]],
  ['none', [null]],
  ['tags', ['x', 'y']],
  ['tags.1', ['y']],
  ['inner.deep', [{ n: 5 }]],
  ['inner.deep.n', [5]],
  ['items.sku', [1, 2]],
  ['items.of.n', [1, 2]],
  ['items.1.sku', [2]],
  ['items.9.sku', []],
  ['a.b', []],
  ['missing', []],
  ['toString', []],
])('the values at a path %s', (path, values) => expect(valuesAt(document, path.split('.'))).toEqual(values))
