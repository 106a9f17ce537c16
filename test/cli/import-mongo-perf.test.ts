import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importTable } from '../../src/cli/actions/import-mongo-perf.ts'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

const checkout = 'fixtures/mongo-perf-tests'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-import-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const importInto = (out: string, ...options: readonly string[]) =>
  runCommandLine(['import', 'mongo-perf', checkout, '--out', out, ...options])

test('nothing is run or written until the user agrees', async () => {
  const out = path.join(folder, 'none')
  const { stdout, stderr, code } = await importInto(out)
  expect({ stdout, code }).toEqual({ stdout: '', code: 3 })
  expect(stderr).toContain('are JavaScript, and to import them is to run it on this machine')
  expect(stderr).toContain('--allow-code')
  expect(await readdir(folder)).toEqual([])
})

test('a folder with files is left alone without --force', async () => {
  const out = await mkdtemp(path.join(folder, 'full-'))
  await writeFile(path.join(out, 'mine.json'), '{}')
  const { stderr, code } = await importInto(out, '--allow-code')
  expect(code).toBe(2)
  expect(stderr).toContain('is not empty')
})

test.each([
  [['--workers', '0'], 'It must be a whole number from 1 to 128.'],
  [['--workers', '4,200'], 'It must be a whole number from 1 to 128.'],
  [['--workers', '4,4'], 'It has a number twice.'],
  [['--allow-code', '--', '--set', 'seconds=1'], 'nothing is run'],
])('%j is refused', async (options, message) => {
  const { stderr, code } = await importInto(path.join(folder, 'none'), ...options)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

test('a table has how many tests came through, and why the others did not', () => {
  const source = 'testcases/a.js'
  const imported = { kind: 'imported', name: 'A', source, spec: 'a.json', allow: [] } as const
  const refused = { kind: 'refused', name: 'B', source: 'testcases/b.js', reason: 'uses | a thing' } as const
  expect(importTable([imported, refused])).toBe(
    [
      '|           File | Tests | Imported | Refused |',
      '| -------------: | ----: | -------: | ------: |',
      '| testcases/a.js |     1 |        1 |       0 |',
      '| testcases/b.js |     1 |        0 |       1 |',
      '|            all |     2 |        1 |       1 |',
      '',
      '| Refused test | File           | Why             |',
      '| ------------ | -------------- | --------------- |',
      '| B            | testcases/b.js | uses \\| a thing |',
      '',
    ].join('\n'),
  )
})
