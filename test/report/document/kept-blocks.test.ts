import { describe, expect, test } from 'vitest'
import { parseDocument } from '../../../src/report/document/parse-document.ts'
import { madeBlocks } from '../../../src/report/document/sources.ts'
import { newArticle, newDocument, updateDocument } from '../../../src/report/document/update-document.ts'
import { aSection } from './a-section.ts'

const insert = aSection('insert', { description: 'Why.', performance: '| a |\n| -: |\n| 1 |', measured: '_Today._' })
const again = aSection('insert', { description: 'Why?', performance: '| a |\n| -: |\n| 2 |', measured: '_Now._' }, 'b2')
const { text: written } = updateDocument(newDocument, [insert], 'P.md')

const mark = (text: string, block: string, word: string): string =>
  text.replace(new RegExp(`(<!-- mongo-perf ${block})[^>]*-->`), `$1 ${word} -->`)

describe('a block', () => {
  test('that is marked "keep" stays as it is, whatever its result is, and is never older', () => {
    const edited = mark(written, 'insert/performance', 'keep').replace('|1|', '| my  own |')
    const { text, replaced } = updateDocument(edited, [again], 'P.md')
    expect(text).toContain('<!-- mongo-perf insert/performance keep -->\n|a|\n|-:|\n| my  own |\n')
    expect(text).toContain('\nWhy?\n')
    expect(replaced).toEqual([])
    expect(madeBlocks(parseDocument(text, 'P.md')).map(({ name }) => name)).toEqual([
      'insert/description',
      'insert/measured',
    ])
  })

  test('that is marked "omit" stays empty, without a remark', () => {
    const { text, remarks } = updateDocument(mark(written, 'insert/performance', 'omit'), [again], 'P.md')
    expect(text).toContain('<!-- mongo-perf insert/performance omit -->\n<!-- /mongo-perf insert/performance -->\n')
    expect(remarks).toEqual([])
    expect(updateDocument(text, [again], 'P.md').text).toBe(text)
  })

  test('that was edited is reported before it is replaced', () => {
    const edited = written.replace('|1|', '|3|')
    const { text, replaced } = updateDocument(edited, [again], 'P.md')
    expect(replaced).toSay('document-block-edited')
    expect(text).toContain('|2|')
    expect(updateDocument(edited, [aSection('queue', { description: 'Queues.' })], 'P.md').replaced).toEqual([])
  })

  test('that a formatter went over was not edited', () => {
    const formatted = written.replace('|a|\n|-:|\n|1|', '|    a |\n| ---: |\n|    1 |').replaceAll('\n', '\r\n')
    expect(updateDocument(formatted, [again], 'P.md').replaced).toEqual([])
  })

  test('of settings stays edited when other sections are updated', () => {
    const settings = '| Setting | Value |\n| -: | -: |\n| Server | 6 |'
    const one = aSection('insert', { 'base-instance': settings, measured: '_Today._' })
    const { text } = updateDocument(newArticle.replace('@title', '@title layout="article"'), [one], 'P.md')
    const edited = text.replace('As the base', 'Mine.\n\nAs the base')
    const other = updateDocument(edited, [aSection('queue', { measured: '_Now._' })], 'P.md')
    expect(other.text).toContain('Mine.')
    expect(updateDocument(other.text, [one], 'P.md').replaced).toHaveLength(1)
  })
})

test('tables have no padding, and code is as it was', () => {
  const table = '| Setting |  a \\|  b |\n| ------: | ------: |\n|    long |         |\n\n```\n|   code  |\n```'
  const { text } = updateDocument(newDocument, [aSection('insert', { performance: table })], 'P.md')
  expect(text).toContain('|Setting|a \\|  b|\n|-:|-:|\n|long||\n\n```\n|   code  |\n```\n')
})
