import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pages } from '../docs/pages.ts'
import { readGolden } from './golden.ts'

const outputs = readdirSync('test/cli/outputs').map(
  (file) => [file, readFileSync(`test/cli/outputs/${file}`, 'utf8')] as const,
)

/** All texts that users meet, by where they are: messages, what commands print, pages. */
const texts = [...readGolden(), ...outputs, ...pages].filter(([place]) => !place.includes('docs/adr/'))

/** One thing has one name, which `docs/glossary.md` explains: words that users no longer meet. Recorded commands, and what tests measure, are calls. */
const retired: readonly (readonly [instead: string, words: RegExp, except: RegExp | null])[] = [
  ['other programs', /\bother (?:processes|load)\b/i, null],
  ['cannot tell', /\bnot clear\b|\bno claim\b|\bno verdict yet\b/i, null],
  ['fresh start', /\banew\b/i, null],
  ['turn', /\bstretch(?:es)?\b/i, /bench -- /],
  ['timeout', /\bpatience\b/i, null],
  [
    'operation',
    /\bnumber of calls\b|\bcalls (?:per second|in flight|of the phase)\b|\b(?:each|every|measured|successful) call\b/i,
    /record|replay|inspect|traffic|test-suites|drawn for each call|call-never/i,
  ],
  ['operation', /\brequests (?:per second|in flight)\b|\b(?:each|every) request\b/i, /every request costs/i],
  [
    'throughput',
    /(?<!machine |--)\bspeed\b(?! \((?:docs|MB)\/s\))/i,
    /machine|processor|disks|replay|(?:insert|write) speed|insert-speed|text-report-narrow/i,
  ],
]

test.each(retired)('users meet "%s" instead of another word', (_, words, except) => {
  const found = texts.flatMap(([place, text]) =>
    text
      .split('\n')
      .flatMap((line) => (words.test(line) && !except?.test(`${place}: ${line}`) ? `${place}: ${line}` : [])),
  )
  expect(found).toEqual([])
})
