import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkSections } from '../../docs/generator/checks-page.ts'
import { distributionSections } from '../../docs/generator/distributions.ts'
import { faultSections } from '../../docs/generator/faults-page.ts'
import { generatorSections } from '../../docs/generator/generators-page.ts'
import { byHand, renderPages } from '../../docs/generator/index.ts'
import { renderManPage } from '../../docs/generator/man-page.ts'
import { toAnchor, maxCellLength } from '../../docs/generator/markdown.ts'
import { operationSections } from '../../docs/generator/operations-page.ts'
import { specSections } from '../../docs/generator/spec-page.ts'
import { undescribed } from '../docs-generator/undescribed.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const pages = renderPages(textOf)

describe.each([...pages])('docs/%s', (file, text) => {
  test('says what the source says', () => {
    const stored = existsSync(new URL(`docs/${file}`, root)) ? textOf(`docs/${file}`) : ''
    expect(stored === text, `docs/${file} is stale: run \`npm run docs\``).toBe(true)
  })

  test('has links that lead somewhere', () => expect(brokenLinks('docs/', file)).toEqual([]))

  test('has headings with anchors of their own', () => {
    const anchors = headingsOf(text).map(toAnchor)
    expect(anchors).toEqual([...new Set(anchors)])
  })
})

test('the man page says what the source says, in requests and escapes of roff', () => {
  const text = textOf('docs/mongo-perf.1')
  expect(text === renderManPage(), 'docs/mongo-perf.1 is stale: run `npm run docs`').toBe(true)
  const requests = new Set(text.match(/^\.\S*/gm))
  expect(requests).toEqual(new Set([String.raw`.\"`, '.TH', '.SH', '.SS', '.TP', '.B', '.I']))
  expect(new Set(text.match(/\\(?!").(?:(?<=\()..)?/g))).toEqual(new Set([String.raw`\-`, String.raw`\(dq`]))
})

test('every cell of a table is short', () => {
  const files = [...readdirSync(new URL('docs/', root)).filter((file) => file.endsWith('.md')), '../README.md']
  const long = files.flatMap((file) =>
    tablesIn(textOf(`docs/${file}`)).flatMap((rows) =>
      rows.flat().flatMap((cell) => (cell.length > maxCellLength ? [`${file}: ${cell}`] : [])),
    ),
  )
  expect(long).toEqual([])
})

test('docs/ holds nothing but pages of the reference, their generator, decisions, and pages that are written by hand', () => {
  const files = byHand.map(({ file }) => file)
  expect(readdirSync(new URL('docs/', root)).toSorted()).toEqual(
    [...pages.keys(), 'adr', 'generator', 'mongo-perf.1', ...files].toSorted(),
  )
})

test.each(byHand)('links of $file, which is written by hand, lead somewhere', ({ file }) =>
  expect(brokenLinks('docs/', file)).toEqual([]),
)

test('the README leads to the reference', () => {
  expect(linksIn(textOf('README.md'))).toContain('docs/README.md')
  expect(brokenLinks('', 'README.md')).toEqual([])
})

test('every field that is shown has a description', () => {
  const { shared, own, nested } = operationSections()
  const operations = [shared, ...own, ...nested]
  const faults = faultSections()
  const ofFaults = [faults.shared, ...faults.own, ...faults.nested]
  const checks = checkSections()
  const ofChecks = [...checks.own, ...checks.nested]
  const ofValues = [...generatorSections(), ...distributionSections()]
  const sections = [...specSections(), ...operations, ...ofFaults, ...ofChecks, ...ofValues]
  expect(undescribed(sections)).toEqual([])
})

test('every cell of a table that says what something is has a text', () => {
  const told = /^(Meaning|What .*|Is|Holds.*)$/
  const untold = [...pages].flatMap(([file, text]) =>
    tablesIn(text).flatMap(([head = [], , ...rows]) =>
      rows
        .filter((row) => head.some((title, i) => told.test(title) && row[i] === ''))
        .map((row) => `${file}: ${row[0]}`),
    ),
  )
  expect(untold).toEqual([])
})

const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '')

const headingsOf = (text: string): string[] =>
  [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)

const linksIn = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^https?:/.test(link))

/** A page as it should be, or another file. */
const read = (path: string): string => (path.startsWith('docs/') ? pages.get(path.slice(5)) : undefined) ?? textOf(path)

/** Links of a file in a folder that lead to no file, or to no heading of one. */
function brokenLinks(folder: string, file: string): readonly string[] {
  return linksIn(read(`${folder}${file}`)).filter((link) => {
    const [path = '', anchor] = link.split('#')
    const target = new URL(path === '' ? file : path, new URL(folder, root))
    if (!existsSync(target)) return true
    const name = target.pathname.slice(root.pathname.length)
    return anchor !== undefined && !headingsOf(read(name)).map(toAnchor).includes(anchor)
  })
}

/** Tables as rows of cells. */
function tablesIn(text: string): readonly (readonly (readonly string[])[])[] {
  return [...withoutCode(text).matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) =>
    table
      .trimEnd()
      .split('\n')
      .map((line) =>
        line
          .slice(2, -2)
          .split(/(?<!\\) ?\| ?/)
          .map((cell) => cell.trim()),
      ),
  )
}
