import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { pages } from './pages.ts'

const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] }

/** Shipped whatever "files" lists. */
const always = ['README.md', 'LICENSE', 'package.json']

const patterns = [...always, ...files].map((entry) => {
  const glob = entry
    .replaceAll('.', String.raw`\.`)
    .replaceAll('**/', '(?:.+/)?')
    .replaceAll(/(?<!\))\*/g, '[^/]*')
  return new RegExp(`^${glob}(?:/|$)`)
})

const ships = (file: string): boolean => patterns.some((pattern) => pattern.test(file))

test('what ships is decided as npm does', () => {
  expect(['docs/sizing.md', 'docs/adr/0001-static-shares.md', 'README.md'].map(ships)).toEqual(Array(3).fill(true))
  expect(['docs/generator/page.ts', 'fixtures/results/a/result.json', 'src/cli/main.ts'].map(ships)).toEqual(
    Array(3).fill(false),
  )
})

/** What a pattern finds in a page, outside of its code, as files from the root. */
const filesIn = (file: string, page: string, pattern: RegExp): readonly string[] =>
  [...page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(pattern)]
    .map(([, target = '']) => target)
    .filter((target) => !/^https?:/.test(target))
    .map((target) => path.posix.join(path.posix.dirname(file), target))

test.each([...pages].filter(([file]) => ships(file)))(
  'links of %s lead to files of the package, and its pictures, which do not ship, are there',
  (file, page) => {
    const links = filesIn(file, page, /\]\(([^)\s#]+)[^)\s]*\)/g)
    expect(links.filter((target) => !ships(target.replace(/\/$/, '')) || !existsSync(target))).toEqual([])
    expect(filesIn(file, page, /(?:src|srcset)="([^"]+)"/g).filter((target) => !existsSync(target))).toEqual([])
  },
)
