import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { findSimilarLine, formatGolden, goldenFile, makeTemplate, parseGolden, readGolden } from './golden.ts'

const testFolder = path.resolve(import.meta.dirname, '..')

test('every text is named by a test, and the file is as it is written', () => {
  const files = readdirSync(testFolder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const tests = files.map((file) => readFileSync(path.join(testFolder, file), 'utf8')).join('\n')
  expect([...readGolden().keys()].filter((code) => !tests.includes(`'${code}'`))).toEqual([])
  expect(readFileSync(goldenFile, 'utf8')).toBe(formatGolden(readGolden()))
})

test('texts of several lines, with blank ones and indented ones, are read as they were written', () => {
  const texts = new Map([
    ['a', 'One line'],
    ['b', 'First\n\n  last, indented'],
  ])
  expect(parseGolden(formatGolden(texts))).toEqual(texts)
})

describe('a template', () => {
  test.each([
    ['There are 3 of 13 rows', { rows: 3 }, 'There are {rows} of 13 rows'],
    ['a.json and a.json.bak', { file: 'a.json', copy: 'a.json.bak' }, '{file} and {copy}'],
    ['costs $1 (more)', { cost: '$1 (more)' }, 'costs {cost}'],
  ])('of %j', (text, data, template) => expect(makeTemplate(text, data as never)).toBe(template))

  test('has all of its values', () =>
    expect(() => makeTemplate('There are 13 rows', { rows: 3 })).toThrow('{rows} is "3"'))
})

test('a line that was reworded is found again, and one that is about something else is not', () => {
  const lines = ['The server is gone', 'The client was the limit here']
  expect(findSimilarLine('The client was the bottleneck', lines)).toBe(lines[1])
  expect(findSimilarLine('Nothing of this kind at all', lines)).toBeUndefined()
})

test('a problem says its code, its message and its hint', () => {
  const problem = new Problem('usage', 'There are 3 rows', { hint: 'Name one.' })
  const saying = (): never => {
    throw problem
  }
  expect(problem).toSay('example-problem', { rows: 3 })
  expect(saying).toSay('example-problem', { rows: 3 })
  expect({ problem }).toEqual({ problem: expect.toSay('example-problem', { rows: 3 }) })
  expect('Rows:\n  There are 3 rows \n').toHaveLine('example-line', { rows: 3 })
})

// While texts are written, they are what was said.
test.skipIf(process.env['MONGO_PERF_TEXTS'] !== undefined)('what is not in the file fails', () => {
  const problem = new Problem('usage', 'There are 3 rows', { hint: 'Name one.' })
  expect(() => expect(problem).toSay('example-problem', { rows: 4 })).toThrow('under "example-problem"')
  expect(() => expect(problem).toSay('example-problem', { rows: 3, unused: 1 })).toThrow('under "example-problem"')
  expect(() => expect(() => 1).toSay('example-problem')).toThrow('Nothing was thrown')
  expect(() => expect('There are 3 rows or more').toHaveLine('example-line', { rows: 3 })).toThrow('No line is')
})
