import { expect, test } from 'vitest'
import { anchorOf, code, table } from '../../src/reference/markdown.ts'

test('a table leaves out columns that are empty in every row', () => {
  expect(
    table(
      ['A', 'B', 'C'],
      [
        ['1', '', 'x'],
        ['2', '', ''],
      ],
    ),
  ).toBe('| A | C |\n| --- | --- |\n| 1 | x |\n| 2 |  |')
})

test('a table without rows is no table', () => {
  expect(table(['A'], [])).toBe('')
})

test('a cell stays one cell', () => {
  expect(table(['A'], [['a|b\nc']])).toBe('| A |\n| --- |\n| a\\|b c |')
})

test('code holds backticks of its own', () => {
  expect([code('a'), code('a`b'), code('a``b')]).toEqual(['`a`', '`` a`b ``', '``` a``b ```'])
})

test('anchors are those of GitHub', () => {
  expect(['The spec', 'phases[].load: closed', '@nextRow', 'Size (MB)'].map(anchorOf)).toEqual([
    'the-spec',
    'phasesload-closed',
    'nextrow',
    'size-mb',
  ])
})
