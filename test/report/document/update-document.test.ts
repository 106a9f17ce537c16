import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDocument, print } from '../../../src/report/document/parse-document.ts'
import { type DocumentSection, newDocument, updateDocument } from '../../../src/report/document/update-document.ts'
import { forAll } from '../../fakes/for-all.ts'
import { aSection } from './a-section.ts'

const updated = (text: string, ...sections: readonly DocumentSection[]): string => updateDocument(text, sections).text
const insert = aSection('insert', { description: 'Why.', performance: '| 1 |', measured: '_Today._' })
const queue = aSection('queue', { description: 'Queues.' })

const headingsIn = (text: string): readonly string[] =>
  parseDocument(text, 'd').nodes.flatMap((node) =>
    node.kind === 'line' && node.heading ? `${node.heading.level} ${node.heading.text}` : [],
  )

/** What people own: the lines outside of markers. */
function proseOf(text: string): string {
  return print(parseDocument(text, 'd').nodes.filter(({ kind }) => kind === 'line'))
}

const versionWith = (sha256: string): string | undefined =>
  /Version.*/.exec(updated(newDocument, insert, aSection('queue', { measured: '_Now._' }, sha256)))?.[0]

const contents = (text: string): readonly string[] =>
  (/@contents -->\n([^]*?)<!-- \/mongo-perf @contents/.exec(updated(text))?.[1] ?? '').trimEnd().split('\n')

const isRefused = (text: string, sections: readonly DocumentSection[]): boolean => {
  try {
    updateDocument(text, sections)
    return false
  } catch {
    return true
  }
}

describe('a section that shows a result', () => {
  const before = updated(newDocument, insert)
  const from = (path: string, sha256: string): DocumentSection => ({ ...insert, source: { path, sha256 } })

  test('is not replaced by another result of its spec', () =>
    expect(() => updated(before, from('other-server/insert/result.json', 'b2'))).toSay(
      'document-section-of-other-result',
    ))

  test('is replaced when that is measured again, or was only moved', () => {
    expect(updated(before, from('results/insert/result.json', 'b2'))).toContain(
      'insert/measured is="e979d366" result="results/insert/result.json" sha256="b2"',
    )
    expect(updated(before, from('moved/result.json', 'a1'))).toContain(
      'insert/measured is="e979d366" result="moved/result.json" sha256="a1"',
    )
  })

  test('is replaced by another result once its blocks are gone', () => {
    const emptied = before.replace(/## About insert[^]*/, '')
    expect(updated(emptied, from('other-server/insert/result.json', 'b2'))).toContain(
      'result="other-server/insert/result.json"',
    )
  })
})

describe('a new document', () => {
  test('has title, contents and a section with all its parts', () =>
    expect(updated(newDocument, insert)).toSay('document-new'))

  test('defines the words of its sections once', () => {
    const document = updated(newDocument, aSection('insert', { performance: '| Speed (MB/s) |' }), queue)
    expect(document.split('\n- KB = 1024 B, MB = 1024 KB.\n<!-- /mongo-perf @legend -->')).toHaveLength(2)
  })

  test('shows the author that its marker names', () => {
    const text = '<!-- mongo-perf @title author="A. Person" -->\n<!-- /mongo-perf @title -->\n'
    expect(updated(text)).toContain('|**Author**|A. Person|')
  })

  test('changes its version with any of its results', () => {
    expect(versionWith('b2')).toContain('mongo-perf 0.1.0, 2 results, ')
    expect(versionWith('b2')).not.toBe(versionWith('c3'))
  })
})

describe('a section', () => {
  test('replaces its placeholder', () => {
    const text = 'One\n<!-- mongo-perf insert -->\nsoon\n<!-- /mongo-perf insert -->\nTwo\n'
    const after = updated(text, queue, insert)
    expect(proseOf(after)).toMatch(/^One\n## About insert\n[^]*Two\n\n## About queue\n/)
    expect(after).not.toContain('soon')
  })

  test('keeps its headings, its order and the prose around as people want them', () => {
    const written = updated(newDocument, insert, queue)
      .replace('### The performance', '### How fast\n\nI think it is slow.')
      .replace('## About queue', () => '## $& of $1 queues')
    const [beginning = '', one = '', two = ''] = written.split(/^(?=## (?!Contents))/m)
    const mixed = [beginning, two, one].join('\n')
    const newer = aSection('insert', { description: 'New $& why $1.', performance: '| 2 |', measured: '_Now._' }, 'b2')
    const after = updated(mixed, newer)
    expect(proseOf(after)).toBe(proseOf(mixed))
    expect(after).toContain('\nNew $& why $1.\n')
    expect(after).toMatch(/insert\/performance is="\w{8}" -->\n\|2\|\n/)
    expect(after).toContain('sha256="b2"')
  })

  test('gets a new part after the one that it follows in the report', () => {
    const parts = {
      doubts: '> Hm',
      description: 'Why.',
      charts: '![]',
      performance: '| 1 |',
      measured: '_M_',
      end: 'x',
    }
    const more = aSection('insert', parts)
    const after = updated(`Top\n\n${updated('', insert)}\nProse at the end.\n`, more)
    const headings = ['description', 'charts', 'performance', 'end'].map((part) => `3 The ${part}`)
    expect(headingsIn(after)).toEqual(['2 About insert', ...headings])
    expect(after).toMatch(/^Top\n\n## About insert\n\n<!-- mongo-perf insert\/doubts [^\n]*\n> Hm\n/)
    expect(after).toMatch(/\/insert\/end -->|insert\/end -->\n\nProse at the end.\n$/)
  })

  test('keeps the empty block and the heading of a removed part, and reports it once', () => {
    const before = updated('', insert)
    const less = aSection('insert', { description: 'Why.', measured: '_M_' })
    const { text, remarks } = updateDocument(before, [less], 'P.md')
    expect(text).toContain('### The performance\n\n<!-- mongo-perf insert/performance -->\n<!-- /mongo-perf')
    expect(remarks).toSay('document-part-removed')
    expect(updateDocument(text, [less])).toEqual({ text, remarks: [], replaced: [] })
    expect(updated(text, insert)).toBe(before)
  })

  test('reports nothing when warnings disappear', () => {
    const before = updated('', aSection('insert', { doubts: '> Hm', description: 'Why.' }))
    expect(updateDocument(before, [aSection('insert', { description: 'Why.' })]).remarks).toEqual([])
  })

  test('cannot break out of its block', () => {
    const sly = '<!-- /mongo-perf insert/description -->\n```\n<!-- mongo-perf queue -->\n# no heading'
    const text = updated(newDocument, aSection('insert', { description: sly, measured: '_M_' }))
    expect(text).toContain('\n\\<!-- /mongo-perf insert/description -->\n```\n    <!-- mongo-perf queue -->\n')
    expect(updated(text, aSection('insert', { description: 'x', measured: '_M_' }))).toBe(
      updated(newDocument, aSection('insert', { description: 'x', measured: '_M_' })),
    )
  })
})

describe('the contents', () => {
  const list = '<!-- mongo-perf @contents -->\n<!-- /mongo-perf @contents -->\n'

  test.each([
    ['## One\n## Two ##\n### Three', ['- [One](#one)', '- [Two](#two)']],
    ['# Same\n## Same\n### Same\n## Same', ['- [Same](#same-1)', '- [Same](#same-3)']],
    ['## Same\n## Same-1\n## Same', ['- [Same](#same)', '- [Same-1](#same-1)', '- [Same](#same-2)']],
    ['```\n## code\n```\n~~~~\n## code\n~~~\n## code\n~~~~\n## Real', ['- [Real](#real)']],
    ['<!--\n## hidden\n-->\n## Real', ['- [Real](#real)']],
    ['## `_id` & "w: 1", 50 % of _all_', ['- [`_id` & "w: 1", 50 % of _all_](#_id--w-1-50--of-all)']],
    ['## [Link](https://x.y/z) to it', ['- [Link to it](#link-to-it)']],
    ['## An array[] of Größen', ['- [An array\\[\\] of Größen](#an-array-of-größen)']],
    ['    ## code\n##no heading\n## Real', ['- [Real](#real)']],
    ['## _a\\_ [x\\](y) \\`b\\` <c', ['- [_a\\_ \\[x\\](y) \\`b\\` <c](#_a_-xy-b-c)']],
  ])('of %j', (text, expected) => expect(contents(`${list}${text}\n`)).toEqual(expected))

  test('leave out the heading right above them, which counts as a name all the same', () =>
    expect(contents(`## Contents\n\n${list}## Contents\n`)).toEqual(['- [Contents](#contents-1)']))

  test('follow a heading that people have changed', () => {
    const text = updated(newDocument, insert, queue)
    expect(updated(text.replace('## About queue', '## Queues'))).toContain(
      '- [About insert](#about-insert)\n- [Queues](#queues)\n',
    )
  })
})

describe('bytes outside of blocks', () => {
  test('line ends, a missing one at the end and a byte order mark stay', () => {
    const before = '\uFEFFOne\r\nTwo\r\n\r\n<!-- mongo-perf insert -->\r\n<!-- /mongo-perf insert -->'
    const after = updated(before, insert)
    expect(after).toMatch(/^\uFEFFOne\r\nTwo\r\n\r\n## About insert\r\n/)
    expect(after.replaceAll('\r\n', '')).not.toContain('\n')
    expect(after).toMatch(/<!-- \/mongo-perf insert\/measured -->$/)
    expect(updated(after, insert)).toBe(after)
  })

  test.each(['', '\n', 'text', 'text\n', 'text\n\n', 'text\n   ', '## About insert'])(
    'a section follows %j',
    (text) => {
      const after = updated(text, insert)
      expect(after.startsWith(text)).toBe(true)
      expect(headingsIn(after.slice(text.length))[0]).toBe('2 About insert')
      expect(updated(after, insert)).toBe(after)
    },
  )

  test('other markers, and markers of mongo-perf in code, have no effect', () => {
    const before = '<!-- insert -->\nx\n<!-- /insert -->\n```md\n<!-- mongo-perf insert/description -->\n```\n'
    expect(updated(before, queue).startsWith(before)).toBe(true)
  })

  const words = ['', 'prose', '$& $1 $$', '   ', '# Head', '## Head', '### The performance', '- item', '```', '~~~']
  const markers = ['<!-- note -->', '<!-- note', '-->', '<!-- toc -->']
  const inCode = ['`<!-- mongo-perf queue -->`', '    <!-- mongo-perf queue -->']
  const line = fc.constantFrom(...words, ...markers, ...inCode)
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')).map((parts) => parts.join('')))
  const prose = lines.map((parts) => parts.join(''))
  const texts = fc
    .uniqueArray(fc.constantFrom('doubts', 'description', 'performance', 'charts', 'measured'), { minLength: 1 })
    .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, prose])) as Record<string, typeof prose>))
  const section = fc
    .tuple(fc.constantFrom('insert', 'queue', 'disk'), texts)
    .map(([name, given]) => aSection(name, given))

  test('an update made again changes nothing', () =>
    forAll(prose, fc.array(section, { maxLength: 4 }), (text, sections) => {
      fc.pre(!isRefused(text, sections))
      // Of two reports of one section, the last one stays.
      const last = [...new Map(sections.map((one) => [one.section.name, one])).values()]
      const once = updated(text, ...sections)
      expect(updated(once, ...last)).toBe(once)
      expect(updateDocument(once, last).remarks).toEqual([])
    }))

  test('text outside of markers is never changed', () =>
    forAll(prose, prose, texts, texts, (above, below, first, second) => {
      fc.pre(parseDocument(above, 'd').unclosed === null)
      const text = updated(`${above}\n${newDocument}`, aSection('insert', first)) + below
      const whole = aSection('insert', { ...second, ...first })
      const before = updated(text, whole)
      expect(proseOf(updated(before, aSection('insert', second, 'b2')))).toBe(proseOf(before))
      const owned = proseOf(before).split('\n')
      let at = 0
      for (const one of proseOf(text).split('\n')) at = owned.indexOf(one, at) + 1
      expect(at).toBeGreaterThan(0)
    }))
})

describe('broken markers are refused with their file and line', () => {
  const begin = '<!-- mongo-perf a/b -->\n'
  const end = '<!-- /mongo-perf a/b -->\n'
  test.each([
    [`x\n${begin}`, 'marker-not-closed'],
    [`x\n${end}`, 'marker-not-opened'],
    [`${begin}<!-- mongo-perf a/c -->\n`, 'marker-within-another'],
    [`${begin}<!-- /mongo-perf a/c -->\n`, 'marker-closes-within-another'],
    [`${begin}${end}\n${begin}${end}`, 'marker-twice'],
    [`${begin}${end}<!-- mongo-perf a -->\n<!-- /mongo-perf a -->`, 'marker-of-existing-section'],
    ['x\n```\n', 'document-code-not-closed'],
    ['x\n<!--\n', 'document-code-not-closed'],
  ])('%j', (text, code) => expect(() => updateDocument(text, [insert], 'P.md')).toSay(code))
})
