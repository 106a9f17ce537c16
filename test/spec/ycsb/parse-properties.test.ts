import { describe, expect, test } from 'vitest'
import { isPropertyFile, parseProperties } from '../../../src/spec/ycsb/parse-properties.ts'

const pairs = (text: string): readonly (readonly [string, string])[] =>
  parseProperties(text, 'w').map(({ name, value }) => [name, value])

describe('properties', () => {
  test.each<[string, string, string]>([
    ['recordcount=1000', 'recordcount', '1000'],
    ['recordcount = 1000', 'recordcount', '1000'],
    ['recordcount: 1000', 'recordcount', '1000'],
    ['recordcount 1000', 'recordcount', '1000'],
    ['recordcount\t=\t1000  ', 'recordcount', '1000'],
    ['   recordcount=1000', 'recordcount', '1000'],
    ['mongodb.url=mongodb://h:1/ycsb?w=1', 'mongodb.url', 'mongodb://h:1/ycsb?w=1'],
    ['a==b', 'a', '=b'],
    ['a', 'a', ''],
    ['a=', 'a', ''],
    ['a\\ b=c', 'a b', 'c'],
    ['a\\=b\\:c=d', 'a=b:c', 'd'],
    ['a=\\u0041\\t\\n\\\\x\\q', 'a', 'A\t\n\\xq'],
    ['a=b#c!d', 'a', 'b#c!d'],
    ['a=one,\\\n    two', 'a', 'one,two'],
    ['a=one\\\\\nb=c', 'a', 'one\\'],
    ['a=one\\\n# no comment', 'a', 'one# no comment'],
    ['a=b\\', 'a', 'b'],
    ['\u{FEFF}a=b', 'a', 'b'],
  ])('%j', (text, name, value) => expect(pairs(text)[0]).toEqual([name, value]))

  test('leave out comments and empty lines, whatever ends the lines', () =>
    expect(pairs('# one\r\n  ! two\r\ra=1\n\n \t\nb=2')).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]))

  test('that are long take no time that grows with their square', () => {
    const many = 200_000
    expect(pairs(`a=${'bcd\\\n'.repeat(many)}`)).toEqual([['a', 'bcd'.repeat(many)]])
    expect(pairs(`a=${'\\'.repeat(many)}x`)).toEqual([['a', `${'\\'.repeat(many / 2)}x`]])
    expect(isPropertyFile('w', `a${'\n'.repeat(many)}workload=b`)).toBe(true)
    expect(isPropertyFile('w', `a${'\n'.repeat(many)}b`)).toBe(false)
  })

  test('know the lines on which they begin', () =>
    expect(parseProperties('# c\n\na=1\\\n2\nb=3', 'w').map(({ place }) => place)).toEqual(['w:3', 'w:5']))
})

test.each([
  ['workloada', 'workload=site.ycsb.workloads.CoreWorkload\n', true],
  ['workloada', '# a comment\n\n  workload = x', true],
  ['a.properties', '', true],
  ['a.json', '{ "name": "workload=" }', false],
  ['a.json', '// a comment\nworkload=x', false],
  ['a.json', '{\nworkload=x', false],
  ['notes', 'This is about my workload.', false],
])('%s with %j is a property file: %s', (file, text, is) => expect(isPropertyFile(file, text)).toBe(is))
