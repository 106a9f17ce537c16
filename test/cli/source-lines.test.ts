import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { showSourceLines } from '../../src/cli/terminal/source-lines.ts'

// Column 10 of the only line of `dist/a.js` was line 3, column 5 of `src/cli/a.ts`.
const map = {
  version: 3,
  file: 'a.js',
  sources: ['../src/cli/a.ts'],
  names: [],
  mappings: 'SAEI',
  sourceRoot: '',
  sourcesContent: [],
}
const folder = '/app/node_modules/mongo-perf/dist'
const at = (file: string, place: string): string => `    at f (${pathToFileURL(file).href}:${place})`

test('the positions of a stack are those of the source', () => {
  const stack = `Error: wrong\n${at(`${folder}/a.js`, '1:12')}`
  expect(showSourceLines(stack, folder, { 'a.js': map })).toBe('Error: wrong\n    at f (src/cli/a.ts:3:5)')
})

test.each([
  ['a file without a map', `${folder}/b.js`, '1:12'],
  ['a file of another folder', '/app/a.js', '1:12'],
  ['a position before the first of the map', `${folder}/a.js`, '1:2'],
])('%s stays as it is', (_, file, place) =>
  expect(showSourceLines(at(file, place), folder, { 'a.js': map })).toBe(at(file, place)),
)
