import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { importTable } from '../../src/cli/actions/import-mongo-perf.ts'
import { runRefused } from '../fakes/fake-cli-context.ts'
import { useFolder } from '../fakes/temporary-folder.ts'

const checkout = 'fixtures/mongo-perf-tests'

const folder = useFolder()

const importRefused = (out: string, options: readonly string[], exitCode = 2) =>
  runRefused(['import', 'mongo-perf', checkout, '--out', path.join(folder, out), ...options], {}, exitCode)

test('nothing is run or written until the user agrees', async () => {
  expect(await importRefused('none', [], 3)).toSay('import-code-not-allowed', { checkout })
  expect(await readdir(folder)).toEqual([])
})

test('a folder with files is left alone without --force', async () => {
  const out = path.join(folder, 'full')
  await mkdir(out)
  await writeFile(path.join(out, 'mine.json'), '{}')
  expect(await importRefused('full', ['--allow-code'])).toSay('import-folder-not-empty', { out })
})

const limit = { option: '--workers <list>', least: 1, most: 128 }

test.each([
  [['--workers', '0'], 'cli-number-out-of-range', { ...limit, given: 0 }],
  [['--workers', '4,200'], 'cli-number-out-of-range', { ...limit, given: '4,200' }],
  [['--workers', '4,4'], 'import-workers-twice'],
  [['--allow-code', '--', '--set', 'seconds=1'], 'import-runs-nothing'],
])('%j is refused', async (options, code, data?) => {
  expect(await importRefused('none', options)).toSay(code, data)
})

test('a table has how many tests came through, and why the others did not', () => {
  const source = 'testcases/a.js'
  const imported = { kind: 'imported', name: 'A', source, spec: 'a.json', allow: [] } as const
  const refused = { kind: 'refused', name: 'B', source: 'testcases/b.js', reason: 'uses | a thing' } as const
  expect(importTable([imported, refused])).toSay('import-table')
})
