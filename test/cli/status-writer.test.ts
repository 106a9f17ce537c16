import { expect, test } from 'vitest'
import { breakLines, createStatusWriter, fitLine, textWidth } from '../../src/cli/terminal/status-writer.ts'

const clear = '\r\u001B[2K'
const up = '\u001B[1A\u001B[2K'

function terminal(size = { columns: 20, rows: 5 }) {
  const written: string[] = []
  const status = createStatusWriter({
    write: (text) => void written.push(text),
    isTerminal: true,
    columns: () => size.columns,
    rows: () => size.rows,
  })
  return { ...status, written, size }
}

test('lines replace those before them, fewer or more', () => {
  const { rewrite, printStatus, written } = terminal()
  rewrite('one\ntwo\nthree')
  rewrite('four')
  rewrite('five\nsix')
  printStatus('stays\n')
  printStatus('too\n')
  expect(written).toEqual([
    `${clear}one\ntwo\nthree`,
    `${clear}${up}${up}four`,
    `${clear}five\nsix`,
    `${clear}${up}stays\n`,
    'too\n',
  ])
})

test('an empty text clears the lines', () => {
  const { rewrite, printStatus, written } = terminal()
  rewrite('one\ntwo')
  printStatus('')
  expect(written.at(-1)).toBe(`${clear}${up}`)
})

test('no more lines are shown than the terminal has, and none is wider', () => {
  const { rewrite, written } = terminal({ columns: 4, rows: 3 })
  rewrite('12345\n123\n3\n4')
  expect(written).toEqual([`${clear}123\n123`])
})

test('lines that a narrower terminal has wrapped are cleared with all their parts', () => {
  const { rewrite, printStatus, written, size } = terminal()
  rewrite('1234567890\n12')
  size.columns = 4
  printStatus('done\n')
  expect(written.at(-1)).toBe(`${clear}${up.repeat(3)}done\n`)
})

test('where lines cannot be rewritten, none is shown', () => {
  const written: string[] = []
  const write = (text: string): void => void written.push(text)
  const status = createStatusWriter({ write, isTerminal: false, columns: () => 80, rows: () => 24 })
  status.rewrite('one\ntwo')
  status.printStatus('done\n')
  expect([status.rewrites, written]).toEqual([false, ['done\n']])
})

test('a line that is too long for the terminal is broken at spaces, and goes on below its text', () => {
  const { printStatus, written } = terminal()
  printStatus('note: one two three four\nshort\n')
  expect(written).toEqual(['note: one two three\nfour\nshort\n'])
  expect(breakLines('- one two three four\n', 12)).toBe('- one two\n  three four\n')
  expect(breakLines('  name   one two three', 16)).toBe('  name   one two\n         three')
  expect(breakLines('  one two three', 13)).toBe('  one two\n    three')
})

test.each([
  '{ "json": "one two" }',
  '  npx mongo-perf run spec.json',
  'spec.json:3:4: one two',
  '/a/path/without/spaces',
])('what programs read or people copy stays on one line: %s', (line) => expect(breakLines(line, 10)).toBe(line))

test('wide characters take two columns, and what moves the cursor is left out', () => {
  expect(textWidth('注文 ok')).toBe(7)
  expect(fitLine('注文 ok', 4)).toBe('注文')
  expect(fitLine('注文', 3)).toBe('注')
  expect(fitLine('a\u001B[2Jb\rc', 80)).toBe('a[2Jbc')
})
