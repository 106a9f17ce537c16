import { expect, test } from 'vitest'
import { toAnchor, brief, code, maxCellLength, prose, table } from '../../docs/generator/markdown.ts'

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
  expect(['The spec', 'phases[].load: closed', '@nextRow', 'Size (MB)'].map(toAnchor)).toEqual([
    'the-spec',
    'phasesload-closed',
    'nextrow',
    'size-mb',
  ])
})

const long = `${'Counts something '.repeat(8)}once. ${'It is empty otherwise. '.repeat(3)}`.trim()

test('a cell that is too long shows its first sentence, and the others follow below the table', () => {
  const [row, ...below] = table(['Name', 'Meaning'], [['`a`', long]])
    .split('\n')
    .slice(2)
  expect(row).toBe(`| \`a\` | ${'Counts something '.repeat(8)}once. |`)
  expect(below).toEqual(['', '**`a`**', '', ...Array<string>(3).fill('- It is empty otherwise.')])
})

test('a row that links to a section has its text there alone', () => {
  expect(table(['Name', 'Meaning'], [['[a](#a)', long]]).split('\n')).toHaveLength(3)
})

test('of a first sentence that is too long a cell shows the first clause outside of brackets', () => {
  const rest = 'and so on, '.repeat(20)
  expect(brief(`Members that lag (or stop; or end): ${rest}`)).toBe('Members that lag.')
  expect(brief(`Members that lag; ${rest}`)).toBe('Members that lag.')
  expect(brief('"a", '.repeat(50))).toBe('See below.')
})

test('a text that is too long for a paragraph becomes a list of its sentences', () => {
  expect([prose('One. Two.'), prose(long).split('\n').length]).toEqual(['One. Two.', 4])
  expect(long.length).toBeGreaterThan(maxCellLength)
})
