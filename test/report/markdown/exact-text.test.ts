import * as fc from 'fast-check'
import { type Token } from 'markdown-it'
import { describe, expect, test } from 'vitest'
import { type Block, createListBlocks, paragraph, tableBlock } from '../../../src/report/blocks/block.ts'
import { blocksMarkdown, sectionMarkdown, treeMarkdown } from '../../../src/report/markdown/render.ts'
import { plainTable } from '../../../src/report/tables/table.ts'
import { forAll } from '../../fakes/for-all.ts'
import { anyText, renderer, shown, someText } from './nasty-texts.ts'

const textOf = ({ children }: Token): string =>
  shown(
    (children ?? [])
      .map(({ type, content }) =>
        type.endsWith('break') ? ' ' : type === 'text' || type === 'text_special' ? content : type,
      )
      .join(''),
  )

/** Kinds of tokens, and the texts in them. */
function contentOf(markdown: string): { readonly kinds: ReadonlySet<string>; readonly texts: readonly string[] } {
  const tokens = renderer.parse(markdown, {})
  const kinds = tokens.flatMap(({ type }) => (type.endsWith('_close') || type === 'inline' ? [] : [type]))
  return { kinds: new Set(kinds), texts: tokens.filter(({ type }) => type === 'inline').map(textOf) }
}

/** A text without the emphasis that is meant. */
const without = (text: string, ...kinds: readonly string[]): string =>
  kinds.reduce((so, kind) => so.replaceAll(new RegExp(`${kind}_(?:open|close)`, 'g'), ''), text)

/** In this order: the ampersand is in the others. */
const entities = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&amp;', '&'],
] as const

const unescaped = (html: string): string =>
  entities.reduce((text, [entity, sign]) => text.replaceAll(entity, sign), html)

describe('whatever a text holds,', () => {
  test('a table has exactly its rows and its cells, with exactly their texts', () =>
    forAll(fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 3 }), someText, (rows, title) => {
      const columns = [title, 'other'].map((one, index) => ({
        title: one,
        cell: (row: readonly string[]) => row[index] ?? null,
      }))
      const { kinds, texts } = contentOf(blocksMarkdown([tableBlock(plainTable('T', columns, rows))]))
      expect(texts).toEqual([title, 'other', ...rows.flat()].map(shown))
      expect([...kinds]).toEqual(['table_open', 'thead_open', 'tr_open', 'th_open', 'tbody_open', 'td_open'])
    }))

  test('a list has exactly its items', () =>
    forAll(fc.array(someText, { minLength: 1, maxLength: 3 }), (items) => {
      const { kinds, texts } = contentOf(blocksMarkdown(createListBlocks(items)))
      expect(texts).toEqual(items.map(shown))
      expect([...kinds]).toEqual(['bullet_list_open', 'list_item_open', 'paragraph_open'])
    }))

  test('a paragraph is one, and shows it', () =>
    forAll(someText, someText, (one, other) => {
      const { kinds, texts } = contentOf(blocksMarkdown([paragraph(one), paragraph(other)]))
      expect(texts).toEqual([one, other].map(shown))
      expect([...kinds]).toEqual(['paragraph_open'])
    }))

  test('a heading shows it', () =>
    forAll(someText, someText, (one, other) => {
      const section = { title: other, blocks: [paragraph('text')] }
      const text = treeMarkdown({ title: one, sections: [section] })
      const { kinds, texts } = contentOf(text)
      expect(texts).toEqual([shown(one), shown(other), 'text'])
      expect([...kinds]).toEqual(['heading_open', 'paragraph_open'])
      expect(text).toContain(sectionMarkdown(section))
    }))

  test('emphasis ends where it is meant to', () =>
    forAll(someText, (text) => {
      const given = [`a ${text} z`, ...(/^[a-z\d"_*].*[a-z\d._*]$/.test(text) ? [text] : [])]
      for (const one of given) {
        const strong = contentOf(blocksMarkdown([paragraph(one, 'strong')])).texts[0] ?? ''
        const aside = contentOf(blocksMarkdown([paragraph(one, 'aside')])).texts[0] ?? ''
        expect(strong).toMatch(/^strong_open[^]*strong_close$/)
        expect(aside).toMatch(/^em_open[^]*em_close$/)
        expect([without(strong, 'strong'), without(aside, 'em')]).toEqual([shown(one), shown(one)])
      }
    }))

  test('a warning is one quotation, with its label', () =>
    forAll(someText, (text) => {
      const { kinds, texts } = contentOf(
        blocksMarkdown([
          { kind: 'warning', label: 'Not measured here', text },
          { kind: 'warning', label: null, text },
        ]),
      )
      expect(texts).toEqual([`strong_openNot measured here:strong_close ${shown(text)}`, shown(text)])
      expect([...kinds]).toEqual(['blockquote_open', 'paragraph_open'])
    }))

  test('warnings about rows are a list that is folded', () =>
    forAll(someText, (text) => {
      const trust: Block = {
        kind: 'trust',
        summary: text,
        level: 'lower bound',
        warnings: [
          { level: 'lower bound', name: text, where: `rows of "${text}"`, message: text, advice: text, effects: [] },
        ],
      }
      const label = `strong_openLower boundstrong_close (rows of "${text}"): ${text}`
      const folded = contentOf(blocksMarkdown([trust]))
      expect(folded.texts).toEqual([shown(`${label} ${text}`)])
      expect([...folded.kinds]).toEqual(['html_block', 'bullet_list_open', 'list_item_open', 'paragraph_open'])
    }))

  test('a summary that folds text holds no tag', () =>
    forAll(someText, (summary) => {
      const text = blocksMarkdown([{ kind: 'folded', summary, blocks: [paragraph('a')] }])
      const [, inside = ''] = /^<details>\n<summary>([^]*)<\/summary>\n\na\n\n<\/details>$/.exec(text) ?? []
      expect(inside).not.toMatch(/[<>]|&(?!lt;|gt;|amp;)/)
      expect(shown(unescaped(inside))).toBe(shown(summary))
    }))

  test('a picture has it as its alternative text, and no other link', () =>
    forAll(someText, (alt) => {
      const chart = { file: 'a.png', title: alt, alt } as Extract<Block, { kind: 'chart' }>['chart']
      const tokens = renderer.parse(blocksMarkdown([{ kind: 'chart', chart }], { charts: 'in%20it' }), {})
      const tags = tokens.find(({ type }) => type === 'inline')?.children ?? []
      expect(tokens.map(({ type }) => type)).toEqual(['paragraph_open', 'inline', 'paragraph_close'])
      expect(tags.map(({ type, content }) => `${type} ${/^<\/?\w+/.exec(content)?.[0]}`)).toEqual([
        'html_inline <picture',
        'html_inline <source',
        'html_inline <img',
        'html_inline </picture',
      ])
      expect(tags[1]?.content).toContain(' srcset="in%20it/a-dark.png">')
      const [, written = '', src] = /^<img alt="([^"]*)" src="([^"]*)">$/.exec(tags[2]?.content ?? '') ?? []
      expect([shown(unescaped(written)), src]).toEqual([shown(alt), 'in%20it/a.png'])
    }))
})

test.each([
  '_id: 1, insert_many, REPLICAS_ONLY, 2 * 3',
  '{ _id: 1 } and [1, 2] of 50 % & more, 5 < 6 > 4',
  'about ~5 ms to ~7 ms, $set and $inc, a single ` or *',
  '1.5 times, -3, +4, #7',
])('%j needs no escape', (text) => expect(blocksMarkdown([paragraph(text)])).toBe(text))
