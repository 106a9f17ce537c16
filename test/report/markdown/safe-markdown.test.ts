import * as fc from 'fast-check'
import markdownIt, { type Token } from 'markdown-it'
import { expect, test } from 'vitest'
import { createListBlocks, paragraph, tableBlock } from '../../../src/report/blocks/block.ts'
import { blocksIn, parseDocument } from '../../../src/report/document/parse-document.ts'
import { newDocument, updateDocument } from '../../../src/report/document/update-document.ts'
import { safeMarkdown } from '../../../src/report/markdown/safe-markdown.ts'
import { plainTable } from '../../../src/report/tables/table.ts'
import { forAll } from '../../fakes/for-all.ts'
import { aSection } from '../document/a-section.ts'

/** A renderer that hides nothing: HTML and links of any kind pass. */
const renderer = markdownIt({ html: true })
renderer.validateLink = () => true

const flat = (tokens: readonly Token[]): readonly Token[] =>
  tokens.flatMap((token) => [token, ...flat(token.children ?? [])])
const tokensOf = (markdown: string): readonly Token[] => flat(renderer.parse(markdown, {}))

/** Comments and tags that a browser would take for such. */
const htmlIn = (markdown: string): readonly string[] =>
  tokensOf(markdown)
    .filter(({ type }) => type.startsWith('html_'))
    .map(({ content }) => content.trim())

const targetsIn = (markdown: string): readonly string[] =>
  tokensOf(markdown).flatMap((token) => token.attrGet('href') ?? token.attrGet('src') ?? [])

/** What a browser makes of an address: control characters and white space count for nothing, also as they are sent. */
const schemeOf = (target: string): string | undefined =>
  /^([a-z][a-z\d+.-]*):/i.exec(target.replaceAll(/%[01][\da-f]|%20/gi, ''))?.[1]?.toLowerCase()

const marks = '` `` ``` ```` ~~~ ```js <!-- --> < | \\ * _ & a'.split(' ')
const tags = '<script> </script> <? <![CDATA[ <pre> <div <br> <https://a.b> <javascript:x>'.split(' ')
const linked = '[x]( ) [x]: [x] ![x]( javascript:alert(1) java&#115;cript:x data:text/html,x https://a.b'.split(' ')
const comments = [
  '<!-- mongo-perf next/description -->',
  '<!-- /mongo-perf given/a -->',
  '<img src=x onerror=alert(1)>',
]
const breaks = ['\n', '\n\n', '\r\n', '\n  ', '\n    ', '\n\t', ' ', '\u00A0', '\n\u00A0\n']
const blocks = ['\n> ', '\n- ', '\n1. ', '\n# ', '\n---\n', '\n| a | b |\n| - | - |\n']
const pieces = [marks, tags, linked, comments, breaks, blocks].flat()
const nasty = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 14 })
  .map((parts) => parts.join(''))

/** The texts between markers, with a section after them. */
function documentWith(texts: Parameters<typeof aSection>[1]): string {
  const next = aSection('next', { description: 'Mine.' })
  return updateDocument(newDocument, [aSection('given', texts), next]).text
}

/** What a text between the markers of a document does to the rest of it, or to who reads it. */
function harmIn(text: string): readonly string[] {
  const parsed = blocksIn(parseDocument(text, 'd'))
  const markers = new Set(parsed.flatMap((block) => [0, -1].map((line) => block.text.split('\n').at(line)?.trim())))
  const headings = renderer.parse(text, {}).filter(({ type, level }) => type === 'heading_open' && level === 0)
  const isSwallowed =
    parsed.at(-1)?.name !== 'next/description' ||
    headings.at(-1)?.map?.[0] !== text.split('\n').lastIndexOf('### The description')
  return [
    ...(isSwallowed ? ['the next section is swallowed'] : []),
    ...htmlIn(text).filter((html) => !markers.has(html)),
    ...targetsIn(text).filter((target) => ![undefined, 'http', 'https', 'mailto'].includes(schemeOf(target))),
  ]
}

test('the opening of a code fence is not taken for the head of a table', () =>
  expect(harmIn(documentWith({ a: '', b: safeMarkdown('~~~|\n---') }))).toEqual([]))

test('signs on both sides of a pipe do not make the opening of a code fence longer than its end', () =>
  expect(harmIn(documentWith({ a: safeMarkdown('~~~|~~~'), b: '' }))).toEqual([]))

test('whatever a text holds, what follows it is not swallowed, and no HTML and no script is in it', () =>
  forAll(nasty, nasty, (one, other) => {
    expect(harmIn(documentWith({ a: safeMarkdown(one.trim()), b: safeMarkdown(other.trim()) }))).toEqual([])
  }))

test.each([
  'A comment <!-- that nothing ends',
  '<!-- mongo-perf next/description -->\n<!-- /mongo-perf given/a -->',
  '```\na block of code that nothing ends',
  '- a list\n  ```\nthat code ends with\n<script>\n```\n',
  '  ~~~\nindented\n```',
  '<script>alert(1)</script> <img src=x onerror=alert(1)>',
  'a ` alone\n`<script>`',
  'in an empty line ` that is none\n\u00A0\n`<script>`',
  '| a | b | c |\n| - | - | - |\n| ` | <script> | ` |',
  'a \\\\<script> after a backslash',
  '[x](javascript:alert(1)) ![x](\n javascript:alert(1)) [x](<javascript:x>) [x](java&#115;cript:x)',
  '> [x]:\n> javascript:alert(1)\n\n[x]',
])('%j swallows nothing and runs nothing', (text) =>
  expect(harmIn(documentWith({ a: safeMarkdown(text) }))).toEqual([]),
)

test.each([
  '**Bold**, _slanted_, `code < 5`, ``a ` b``, 1 < 2 and a <- b',
  '- a list\n  - in a list\n\n1. one\n2. two\n\n> quoted',
  '| a | b |\n| - | -: |\n| `x` | 2 |',
  '[a](https://a.b/c?d=e:f) ![b](charts/b.png "title") [c](#d) [e][f] <https://a.b>',
  '[f]: ../notes.md\n[1]: a note',
  '```js\nif (a < b) <p>`x`</p>\n```\n\nafter',
  '~~~~\n<!-- shown -->\n~~~\n~~~~',
  'A line\\\nand another with \\<b>',
])('%j stays as it is', (text) => expect(safeMarkdown(text)).toBe(text))

test('HTML is shown as text, code that nothing ends is ended, and indented code is moved to the left', () =>
  expect(safeMarkdown('<b>\n  ```\n    a\n  <p>')).toBe('\\<b>\n```\n  a\n<p>\n```'))

test('whatever a title, a label or a message holds, it stays one line of text', () =>
  forAll(nasty, nasty, (one, other) => {
    const table = plainTable(other, [{ title: one, cell: (text: string) => text }], [other])
    const given = [paragraph(one, 'aside'), tableBlock(table), ...createListBlocks([one, other]), paragraph(other)]
    expect(harmIn(documentWith({ a: given, b: [{ kind: 'warning', label: one, text: other }] }))).toEqual([])
  }))
