import { describe, expect, test } from 'vitest'
import { type Block, paragraph, tableBlock } from '../../../src/report/blocks/block.ts'
import { blocksMarkdown, treeMarkdown } from '../../../src/report/markdown/render.ts'
import { plainTable } from '../../../src/report/tables/table.ts'
import { forAll } from '../../fakes/for-all.ts'
import { anyText, renderer, shown } from './nasty-texts.ts'

/** What GitHub takes for a name that is mentioned. */
const mention = /(?<![\p{L}\p{N}_])@[a-z\d]/iu
/** What it takes for a formula, where no dollar sign is escaped. */
const formula = /\$(?!\s)[^\n]*(?<!\s)\$/

const withoutEscapes = (markdown: string): string => markdown.replaceAll(/\\[!-/:-@[-`{-~]/g, '')

const textsIn = (markdown: string): readonly string[] =>
  renderer
    .parse(markdown, {})
    .flatMap(({ type, content, children }) =>
      type === 'html_block' ? [content] : (children ?? []).map((one) => one.content),
    )

const folded = (summary: string): Block => ({ kind: 'folded', summary, blocks: [] })

const written: Readonly<Record<string, (text: string) => string>> = {
  'a paragraph': (text) => blocksMarkdown([paragraph(text)]),
  'a strong paragraph': (text) => blocksMarkdown([paragraph(text, 'strong')]),
  'a heading': (text) => treeMarkdown({ title: text, sections: [] }),
  'a cell': (text) => blocksMarkdown([tableBlock(plainTable('T', [{ title: 'A', cell: () => text }], [0]))]),
  'a warning': (text) => blocksMarkdown([{ kind: 'warning', label: null, text }]),
}

const check = (holds: (text: string) => void): void =>
  forAll(
    anyText.filter((text) => shown(text) !== ''),
    holds,
  )

describe.each(Object.entries(written))('%s, in a comment on GitHub,', (_, markdownOf) => {
  test('mentions no one', () =>
    check((text) => {
      for (const one of textsIn(markdownOf(text))) expect(one).not.toMatch(mention)
    }))

  test('has no formula', () =>
    check((text) => {
      for (const line of markdownOf(text).split('\n')) expect(withoutEscapes(line)).not.toMatch(formula)
    }))
})

test('a summary mentions no one', () =>
  check((text) => {
    for (const one of textsIn(blocksMarkdown([folded(text)]))) expect(one).not.toMatch(mention)
  }))

test.each([
  ['by @octocat', 'by @\u200Boctocat'],
  ['@org/team and (@a)', '@\u200Borg/team and (@\u200Ba)'],
  ['costs $5$ or $a$', String.raw`costs \$5\$ or \$a\$`],
])('%j is written %j', (text, markdown) => expect(blocksMarkdown([paragraph(text)])).toBe(markdown))

test.each(['a@b.example', 'at 5 @ 3', 'about $set and $inc', 'costs 5 $'])('%j is written as it is', (text) =>
  expect(blocksMarkdown([paragraph(text)])).toBe(text),
)
