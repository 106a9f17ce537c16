import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { plainScreen } from '../../src/cli/cli-context.ts'
import { formatPage } from '../../src/cli/terminal/page-text.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'

const topics = readdirSync('docs').flatMap((file) =>
  file.endsWith('.md') && file !== 'README.md' ? file.replace('.md', '') : [],
)

describe('mongo-perf help', () => {
  test('shows all commands without a topic, and the options of a command', async () => {
    expect((await runCommandLine(['help'])).stdout).toSay('help')
    expect((await runCommandLine(['help', 'run'])).stdout).toSay('help-run')
  })

  test.each(topics)('prints the page %s, without what only a browser shows', async (topic) => {
    const { stdout, stderr, code } = await runCommandLine(['help', topic])
    const [, title] = /^# (.+)$/m.exec(readFileSync(`docs/${topic}.md`, 'utf8')) ?? []
    expect({ stderr, code, title: stdout.split('\n')[0] }).toEqual({ stderr: '', code: 0, title })
    const shown = stdout.split('\n').filter((line) => !line.startsWith('    '))
    expect(shown.filter((line) => /^<!--|<\/?(picture|details|summary)|\]\(/.test(line))).toEqual([])
  })

  test('finds a page by its file, and lists all of them', async () => {
    for (const topic of ['Sizing.md', 'docs/sizing.md'])
      expect((await runCommandLine(['help', topic])).stdout).toContain('Size a server')
    const { stdout } = await runCommandLine(['help', 'topics'])
    expect(topics.filter((topic) => !stdout.includes(`(mongo-perf help ${topic})`))).toEqual([])
  })

  test('names the pages that there are, and the one that was meant', async () => {
    expect(await runRefused(['help', 'sizng'])).toSay('help-topic-unknown', {
      topics: topics.concat('topics').toSorted().join(', '),
    })
    expect(await runRefused(['help', '../package'])).toContain('There is no page or command "../package"')
  })

  test.each([60, 80, 120])('fills lines of %i characters', async (columns) => {
    const { stdout } = await runCommandLine(['help', 'sizing'], { screen: { ...plainScreen, columns } })
    const prose = stdout.split('\n').filter((line) => !line.startsWith('    ') && !line.startsWith('This page'))
    const width = Math.max(...prose.map(({ length }) => length))
    expect(width).toBeLessThanOrEqual(columns)
    expect(width).toBeGreaterThan(columns * 0.9)
  })
})

const textOf = (markdown: string, columns = 30): string =>
  formatPage(markdown, columns)
    .map(({ text }) => text)
    .join('\n')

describe('a page as text', () => {
  test('leaves out signs of Markdown, comments and tags', () => {
    expect(textOf('<!-- note -->\n\n# A title\n\nSome **bold** `code`.\n\n<details>\n<summary>More</summary>\n')).toBe(
      'A title\n\nSome bold code.\n\nMore',
    )
  })

  test('has links as commands, addresses and words', () => {
    expect(textOf('[a](sizing.md#x), [b](#y), [c](https://example.com), [d](../README.md)', 200)).toBe(
      'a (mongo-perf help sizing), b, c (https://example.com), d (../README.md)',
    )
  })

  test('indents the lines of an item below its first word', () => {
    expect(textOf('- one two three four five six seven\n- eight\n1. nine')).toBe(
      '- one two three four five six\n  seven\n- eight\n1. nine',
    )
  })

  test('does not change code', () => {
    expect(textOf('Before:\n```sh\na  **b** # c\n\n| d |\n```\nAfter.')).toBe(
      'Before:\n\n    a  **b** # c\n\n    | d |\n\nAfter.',
    )
  })

  test('shows a table as it is where it fits, or each row below its first cell', () => {
    const table = '| A | B |\n| --- | --- |\n| `a` | b \\| c |'
    expect(textOf(table)).toBe('| A | B |\n| --- | --- |\n| a | b \\| c |')
    expect(textOf(table, 12)).toBe('a\n    b | c')
    expect(textOf('| A | B | C |\n| - | - | - |\n| a |  | c |', 10)).toBe('a\n    C: c')
  })

  test('names a picture by its text', () => {
    expect(textOf('<picture><source srcset="a.png"><img alt="Bars." src="b.png"></picture>')).toBe('Picture: Bars.')
  })
})
