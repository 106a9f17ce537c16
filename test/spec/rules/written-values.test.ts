import { expect, test } from 'vitest'
import { findWrittenValues } from '../../../src/spec/rules/written-values.ts'

const parameters = { documentKB: 4, documentsPerCall: 1000, workers: 8, checkSeconds: 2, chunkSizeMB: 1, found: 20_000 }

const namesIn = (description: string): readonly string[] =>
  findWrittenValues({ description, parameters }).map(({ reason }) => /"(\w+)"/.exec(reason)?.[1] ?? '')

test.each([
  ['Documents of 4 KB are read.', 'documentKB'],
  ['They are loaded in calls of 1000 into a collection.', 'documentsPerCall'],
  ['It takes 8 workers.', 'workers'],
  ['A chunk has 1 MB in size.', 'chunkSizeMB'],
])('%s', (text, name) => expect(namesIn(text)).toEqual([name]))

test.each([
  'A cache of 8 GB.',
  'An election timeout of 2 seconds.',
  'Made from 1000 of 8 workers.',
  'Documents of 32 KB, with `w: 1`.',
  'Documents of 4.5 KB by 80 workers, 1 MB of them.',
])('another figure is no mistake: %s', (text) => expect(namesIn(text)).toEqual([]))

test('the value of a parameter that is filled in is no figure', () => {
  const description = [{ '@concat': ['Documents of ', { '@param': 'documentKB' }, ' KB'] }]
  expect(findWrittenValues({ description, parameters })).toEqual([])
})

test('the description of the report is read, too, and texts of conditions', () => {
  const report = { description: [{ '@cond': [true, 'It takes 8 workers.', ''] }] }
  expect(findWrittenValues({ report, parameters }).map(({ path }) => path)).toEqual([
    ['report', 'description', 0, '@cond', 1],
  ])
})
