import { expect, test } from 'vitest'
import { starter } from '../../../src/sources/init/starter.ts'
import { printSpec } from '../../../src/spec/parse/print-spec.ts'

test('what fits into a line stands in one, the rest is broken by its parts', () => {
  const long = Array.from({ length: 30 }, (_, i) => `word ${i}`)
  const text = printSpec({ short: { a: [1, {}], b: [] }, long })
  expect(text.split('\n').slice(0, 4)).toEqual([
    '{',
    '  "short": { "a": [1, {}], "b": [] },',
    '  "long": [',
    '    "word 0",',
  ])
  expect(text.endsWith('  ]\n}\n')).toBe(true)
})

test('what is printed reads as what it was', () => {
  const odd = { '': null, 'a"b': ['ü\n', { '@int': { min: -0.5 } }], deep: Array.from({ length: 40 }, () => [[1]]) }
  for (const spec of [odd, starter]) expect(JSON.parse(printSpec(spec))).toEqual(spec)
})
