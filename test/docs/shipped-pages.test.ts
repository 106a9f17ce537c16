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
  expect(
    ['docs/sizing.md', 'docs/adr/0001-static-shares.md', 'fixtures/results/a/b.png', 'README.md'].map(ships),
  ).toEqual(Array(4).fill(true))
  expect(['docs/generator/page.ts', 'fixtures/results/a/result.json', 'src/cli/main.ts'].map(ships)).toEqual(
    Array(3).fill(false),
  )
})

/** The files that a page leads to, or shows as pictures. */
const targetsIn = (page: string): readonly string[] =>
  [...page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s#]+)[^)\s]*\)|(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((target) => !/^https?:/.test(target))

test.each([...pages].filter(([file]) => ships(file)))(
  'links and pictures of %s are in the package too',
  (file, page) => {
    const targets = targetsIn(page).map((target) => path.posix.join(path.posix.dirname(file), target))
    expect(targets.filter((target) => !ships(target.replace(/\/$/, '')) || !existsSync(target))).toEqual([])
  },
)
