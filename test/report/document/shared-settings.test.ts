import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Block, tableBlock } from '../../../src/report/blocks/block.ts'
import { type DocumentSection, updateDocument } from '../../../src/report/document/update-document.ts'
import { settingsTable } from '../../../src/report/tables/table.ts'
import { forAll } from '../../fakes/for-all.ts'
import { aSection } from './a-section.ts'

const empty = '# Page\n\n<!-- mongo-perf @base-instance -->\n<!-- /mongo-perf @base-instance -->\n'

type Settings = Readonly<Record<string, string>>

const prose = (markdown: string): readonly Block[] => (markdown === '' ? [] : [{ kind: 'prose', markdown }])

const measuredOn = (name: string, settings: Settings, { before = '', after = '' } = {}): DocumentSection =>
  aSection(name, {
    'base-instance': [
      ...prose(before),
      tableBlock(settingsTable(Object.entries(settings).map(([key, value]) => ({ name: key, value })))),
      ...prose(after),
    ],
  })

const update = (text: string, ...sections: readonly DocumentSection[]): string => updateDocument(text, sections).text

/** The block of a name, with single spaces. */
const blockIn = (text: string, name: string): string =>
  (new RegExp(`<!-- mongo-perf ${name}.*?-->\n([^]*?)<!-- /mongo-perf ${name} `).exec(text)?.[1] ?? 'no block')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/-+:/g, '-:')
    .trim()

const head = '|Setting|Value|\n|-:|-:|\n'

test('settings that all sections share stand once, the others stay with their sections', () => {
  const text = update(
    empty,
    measuredOn('insert', { Server: 'MongoDB 6', Workers: '10', Cache: 'a | b' }, { before: 'Above.', after: 'Below.' }),
    measuredOn('queue', { Server: 'MongoDB 6', Workers: '48', Cache: 'a | b' }),
  )
  expect(blockIn(text, '@base-instance')).toBe(`${head}|Server|MongoDB 6|\n|Cache|a \\| b|`)
  expect(blockIn(text, 'insert/base-instance')).toSay('document-settings-between-prose', { workers: 10 })
  expect(blockIn(text, 'queue/base-instance')).toSay('document-settings-left', { workers: 48 })
})

test('a setting returns to its sections when one of them is measured elsewhere', () => {
  const sections = ['insert', 'queue'].map((name) => measuredOn(name, { Server: '6', Workers: '10' }))
  const before = update(empty, ...sections)
  expect(blockIn(before, 'insert/base-instance')).toSay('document-settings-shared')
  const after = update(before, measuredOn('queue', { Server: '7', Workers: '10' }))
  expect(blockIn(after, '@base-instance')).toBe(`${head}|Workers|10|`)
  expect(blockIn(after, 'insert/base-instance')).toContain('|Server|6|')
  expect(blockIn(after, 'queue/base-instance')).toContain('|Server|7|')
})

test('a single section keeps its settings, and a document without the block is left alone', () => {
  const section = measuredOn('insert', { Server: '6' })
  expect(blockIn(update(empty, section), 'insert/base-instance')).toBe(`${head}|Server|6|`)
  const plain = update('# Page\n', section, measuredOn('queue', { Server: '6' }))
  expect(plain).not.toContain('Otherwise as')
})

test('whatever the settings are, none is lost, and a second update changes nothing', () => {
  const settings = fc.dictionary(fc.constantFrom('A', 'B', 'C', 'D'), fc.constantFrom('1', '2', 'x|y'))
  forAll(fc.array(settings, { minLength: 1, maxLength: 4 }), (all) => {
    const sections = all.map((one, index) => measuredOn(`s${index}`, { Always: '0', ...one }))
    const text = update(empty, ...sections)
    expect(update(text)).toBe(text)
    const shared = blockIn(text, '@base-instance')
    for (const [index, one] of all.entries()) {
      const own = blockIn(text, `s${index}/base-instance`)
      for (const [name, value] of Object.entries({ Always: '0', ...one }))
        expect(`${shared}\n${own}`).toContain(`|${name}|${value.replace('|', '\\|')}|`)
    }
  })
})

test('however often sections are written, each has its settings in their order', () => {
  const common = { Server: '6', Cache: '256 MB', disk: 'local', Workers: '8' }
  const sections = [
    measuredOn('insert', { ...common, Topology: 'alone' }),
    measuredOn('queue', { Server: '6', 'Server limits': 'direct I/O', Cache: '256 MB', disk: 'local', Workers: '8' }),
    measuredOn('update', { Server: '7', 'Server limits': 'direct I/O', Cache: '1 GB', disk: 'fast', Workers: '8' }),
  ]
  const once = sections.reduce((text, section) => update(text, section), empty)
  expect(blockIn(once, 'queue/base-instance')).toContain(
    '|Server|6|\n|Server limits|direct I/O|\n|Cache|256 MB|\n|disk|local|\n\n',
  )
  expect(sections.reduce((text, section) => update(text, section), once)).toBe(once)
})

test('in an article, most sections share a setting, and the others say their own; a second update changes nothing', () => {
  const article = `<!-- mongo-perf @title layout="article" -->\n<!-- /mongo-perf @title -->\n${empty}`
  const [insert, queue] = ['insert', 'queue'].map((name) =>
    measuredOn(name, { Server: '6', Cache: '1 GB', Workers: '8' }),
  )
  const sections = [insert, queue, measuredOn('read', { Server: '6', Cache: '2 GB' })] as DocumentSection[]
  const text = update(article, ...sections)
  expect(blockIn(text, '@base-instance')).toBe(`${head}|Server|6|\n|Cache|1 GB|`)
  expect(blockIn(text, 'insert/base-instance')).toBe('Unlike the base instance: **Workers** 8.')
  expect(blockIn(text, 'read/base-instance')).toBe('Unlike the base instance: **Cache** 2 GB.')
  expect(update(text, ...sections)).toBe(text)
  expect(update(text)).toBe(text)
})
