import { expect, test } from 'vitest'
import { createStatusWriter } from '../../src/cli/terminal/status-writer.ts'
import { printable, printableName } from '../../src/core/printable.ts'
import { reportMarkdown } from '../../src/report/markdown/render.ts'

const hostile = '\u001B[2J\u009B31m\u0007\u202E'
const spelled = String.raw`\u001b[2J\u009b31m\u0007\u202e`

test('what steers a terminal is spelled out, and lines, columns and letters of all languages stay', () => {
  expect(printable(`a\tb\r\n${hostile}\rc\n`)).toBe(`a\tb\r\n${spelled}\\u000dc\n`)
  const text = 'é ü 数据 👩‍💻 שלום\n'
  expect(printable(text)).toBe(text)
})

test('printed JSON stays JSON, with the same value', () =>
  expect(JSON.parse(printable(JSON.stringify({ [hostile]: hostile })))).toEqual({ [hostile]: hostile }))

test('in a name, ends of lines are spelled out too', () =>
  expect(printableName('a\nb\u{E0041}')).toBe(String.raw`a\u000ab\udb40\udc41`))

test('status has only the escape codes that rewrite its own lines', () => {
  let written = ''
  const write = (text: string): void => void (written += text)
  const status = createStatusWriter({ write, isTerminal: true, columns: () => 80, rows: () => 24 })
  status.rewrite(`loads ${hostile}`)
  status.printStatus(`error: ${hostile}\n`)
  expect(written).toBe(`\r\u001B[2Kloads [2J31m\r\u001B[2Kerror: ${spelled}\n`)
})

test('a report in Markdown has no escape codes, wherever they come from', () => {
  const blocks = [
    { kind: 'prose', markdown: `${hostile}\n\n\`\`\`\n${hostile}\n\`\`\`` },
    { kind: 'paragraph', emphasis: 'none', text: hostile },
    { kind: 'list', items: [hostile] },
    { kind: 'folded', summary: hostile, blocks: [{ kind: 'warning', label: hostile, text: hostile }] },
  ] as const
  const text = reportMarkdown({ name: 'r', title: hostile, sections: [{ key: 'k', title: hostile, blocks }] } as never)
  expect(text.match(/u001b/g)).toHaveLength(9)
  expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202E/u)
})
