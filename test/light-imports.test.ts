import { expect, test } from 'vitest'
import { chainsToPackages } from './import-chains.ts'

/** Parameters may be values of BSON. */
const ofResults = ['bson', 'fastest-levenshtein']

const chainsToOthers = (entry: string, allowed: readonly string[]): readonly string[] =>
  [...chainsToPackages(entry)].flatMap(([name, chain]) => (allowed.includes(name) ? [] : chain))

test.each([
  ['src/entries/results.ts', ofResults],
  ['src/entries/report.ts', ofResults],
  ['src/entries/index.ts', ofResults],
  ['src/entries/testing.ts', ['bson']],
  ['src/entries/vitest.ts', ['bson', 'vitest']],
])('%s loads no packages but %j', (entry, allowed) => expect(chainsToOthers(entry, allowed)).toEqual([]))

/** What `check` and `report` load before they have seen a server or a `--spec`. */
test.each([
  ['src/spec/load-spec.ts', ['bson', 'fastest-levenshtein', 'jsonc-parser', 'zod']],
  ['src/cli/specs/load-specs.ts', ['bson', 'fastest-levenshtein', 'jsonc-parser', 'zod']],
  ['src/cli/actions/check.ts', ['bson', 'commander', 'fastest-levenshtein', 'jsonc-parser', 'zod']],
  ['src/run/preflight/disk.ts', ['bson', 'fastest-levenshtein', 'zod']],
  ['src/cli/actions/report.ts', ofResults],
])('%s starts no driver: it loads no packages but %j', (entry, allowed) =>
  expect(chainsToOthers(entry, allowed)).toEqual([]),
)

test('a package that is loaded with a file is found with the chain of imports that leads to it', () => {
  const found = chainsToPackages('src/run/run-spec.ts')
  expect([...found.keys()]).toEqual(expect.arrayContaining(['zod', 'mongodb', 'bson']))
  expect(found.get('mongodb')).toMatch(/^src\/run\/run-spec\.ts → (src\/[^ ]+ → )+mongodb$/)
})

test('what names types alone, and what is imported when something is called, is not loaded', () => {
  expect(chainsToPackages('src/spec/define-spec.ts')).toEqual(new Map())
  expect([...chainsToPackages('src/report/charts/drawing/draw-chart.ts').keys()]).toEqual([])
  expect([...chainsToPackages('src/report/charts/drawing/png.ts').keys()]).toContain('chart.js')
  expect([...chainsToPackages('src/report/charts/drawing/drawing-of.ts').keys()]).toEqual([])
  expect([...chainsToPackages('src/report/charts/drawing/with-plugins.ts').keys()]).toEqual(['chart.js'])
})
