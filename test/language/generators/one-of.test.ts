import { readdirSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileJson } from '../../../bench/values.ts'
import { shippedPath } from '../../../src/core/package-root.ts'
import { readWordList, wordLists } from '../../../src/language/generators/one-of.ts'
import { loadSpecText } from '../../../src/spec/load-spec.ts'
import { createDataSet } from '../../../src/spec/plan/data-set.ts'
import { fail } from '../../fakes/fail.ts'
import { useFolder } from '../../fakes/temporary-folder.ts'

const folder = useFolder()

test('all lists ship, each with at least thirty different words, in 60 KB together', () => {
  const files = readdirSync(shippedPath('words'))
  expect(files.toSorted()).toEqual(wordLists.map((name) => `${name}.txt`).toSorted())
  for (const name of wordLists) {
    const words = readWordList(name)
    expect(words.length).toBeGreaterThanOrEqual(30)
    expect(new Set(words).size).toBe(words.length)
    expect(words.filter((word) => word.trim() !== word || word === '')).toEqual([])
  }
  expect(files.reduce((sum, file) => sum + statSync(shippedPath('words', file)).size, 0)).toBeLessThan(60_000)
})

test.each(wordLists)('draws come from the list, and all of them can: %s', (words) => {
  const drawn = compileJson({ '@oneOf': { words } }).first(2000)
  expect(new Set(drawn)).toEqual(new Set(readWordList(words)))
})

test('a distribution counts in the order of the list', () => {
  const drawn = compileJson({ '@oneOf': { words: 'cities.en', distribution: 'zipfian' } }).first(2000)
  const [first, second] = readWordList('cities.en')
  const count = (word: string | undefined): number => drawn.filter((one) => one === word).length
  expect(count(first)).toBeGreaterThan(count(second))
  expect(count(second)).toBeGreaterThan(2000 / 50)
})

test('a list is misspelt, or there are two', () => {
  expect(() => compileJson({ '@oneOf': { words: 'cities.eng' } })).toSay('one-of-list-unknown')
  expect(() => compileJson({ '@oneOf': { words: 'cities.en', values: ['a'] } })).toSay('one-of-two-lists')
})

const load = (argument: object) => {
  const data = { collection: 'c', rows: 1, document: { word: { '@oneOf': argument } } }
  const phases = [{ name: 'r', stopAfter: { operations: 1 }, operations: [{ kind: 'find' }] }]
  return loadSpecText(JSON.stringify({ name: 'e', data, phases }), path.join(folder, 'e.json'))
}

describe('a file of words', () => {
  test('becomes a part of the spec, so that nobody needs the file afterwards', async () => {
    await writeFile(path.join(folder, 'words.txt'), '\uFEFFäpfel\r\n\n  Birnen und Nüsse \n')
    const { rows, effective } = load({ file: 'words.txt' })
    const spec = rows[0]?.spec ?? fail('no row')
    const { documentOf } = createDataSet(spec.data[0] ?? fail('no data'), [], {
      seed: 1,
      report: () => fail('invalid'),
    })
    const drawn = Array.from({ length: 50 }, (_, n) => documentOf?.(n).document['word'])
    expect(new Set(drawn)).toEqual(new Set(['äpfel', 'Birnen und Nüsse']))
    expect(JSON.stringify(effective)).toContain('"values":["äpfel","Birnen und Nüsse"]')
    const again = loadSpecText(JSON.stringify(effective), 'elsewhere.json', { filesElsewhere: true })
    expect(again.hash).toBe(load({ file: 'words.txt' }).hash)
  })

  test.each([
    ['missing.txt', undefined, 'words-file-missing'],
    ['empty.txt', ' \n', 'words-file-empty'],
    ['binary.txt', Buffer.from([0xff, 0xfe, 0x41]), 'words-file-not-utf8'],
    ['large.txt', 'word\n'.repeat(60_000), 'words-file-too-large'],
    ['.', undefined, 'words-file-is-folder'],
  ])('%s is refused', async (file, content, code) => {
    if (content !== undefined) await writeFile(path.join(folder, file), content)
    expect(() => load({ file })).toSay(code, { folder })
  })

  test('whose name is computed is refused', () =>
    expect(() => load({ file: { '@concat': ['a', '.txt'] } })).toSay('words-file-computed', { folder }))
})

test('words are UTF-8 with one end of a line each', () => {
  for (const name of wordLists)
    expect(readFileSync(shippedPath('words', `${name}.txt`), 'utf8')).toMatch(/^([^\r\n]+\n)+$/)
})
