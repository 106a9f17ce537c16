import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { keepPrevious } from '../../src/results/files/result-file.ts'
import { readResult, writeResult } from '../../src/results/files/results-file.ts'
import { emptyResult } from '../fakes/fake-result.ts'
import { storedResult } from '../fakes/stored-results.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const folder = useFreshFolder()
const path = (): string => folder('result.json')

const { variants } = storedResult('insert-batch-size')
const measured = (startedAt: string) => emptyResult({ startedAt, variants })
const placeOf = (name: string): string => folder('previous', name, 'result.json')

test('an earlier result is moved to a folder named after its start, and never over another one', async () => {
  const startedAt = '2026-01-02T03:04:05.678Z'
  for (const name of ['2026-01-02T03-04-05-678Z', '2026-01-02T03-04-05-678Z-2']) {
    await writeResult(path(), measured(startedAt))
    expect(await keepPrevious(path())).toBe(placeOf(name))
    expect(await readResult(placeOf(name))).toEqual(measured(startedAt))
    expect(await readdir(folder())).toEqual(['previous'])
  }
})

test('Git does not see results that are kept', async () => {
  await writeResult(path(), measured('2026-01-02T03:04:05.678Z'))
  await keepPrevious(path())
  expect(await readFile(folder('previous', '.gitignore'), 'utf8')).toBe('*\n')
})

test('charts and report stay where documents link to them', async () => {
  await writeResult(path(), measured('2026-01-02T03:04:05.678Z'))
  await writeFile(folder('speed.png'), '')
  await keepPrevious(path())
  expect(await readdir(folder())).toEqual(['previous', 'speed.png'])
})

test.each(['{"format":"mongo-perf-res', '[]'])('a result that cannot be read is kept too: %s', async (text) => {
  await writeFile(path(), text)
  await utimes(path(), 0, Date.UTC(2026, 0, 1) / 1000)
  const place = placeOf('2026-01-01T00-00-00-000Z')
  expect(await keepPrevious(path())).toBe(place)
  expect(await readFile(place, 'utf8')).toBe(text)
})

test('a result of microbenchmarks is kept', async () => {
  await writeFile(path(), '{"startedAt":"2026-01-02T03:04:05.678Z","tasks":[{"name":"find-many"}]}')
  expect(await keepPrevious(path())).toBe(placeOf('2026-01-02T03-04-05-678Z'))
})

test('nothing is kept where nothing was measured', async () => {
  expect(await keepPrevious(path())).toBeNull()
  const failed = variants.map((variant) => ({ ...variant, status: 'failed' as const, phases: [] }))
  for (const rows of [[], failed]) {
    await writeResult(path(), emptyResult({ status: 'failed', variants: rows }))
    expect(await keepPrevious(path())).toBeNull()
  }
  await rm(path())
  await mkdir(path())
  expect(await keepPrevious(path())).toBeNull()
  expect(await readdir(folder())).toEqual(['result.json'])
})

test('the file behind a link stays', async () => {
  const real = folder('real.json')
  await writeResult(real, measured('2026-01-02T03:04:05.678Z'))
  await symlink('real.json', path())
  expect(await keepPrevious(path())).toMatch(/real\.json$/)
  expect((await readdir(folder())).toSorted()).toEqual(['real.json', 'result.json'])
  await writeResult(path(), emptyResult())
  expect((await readResult(real)).variants).toHaveLength(variants.length)
})

test('a folder that cannot be made for it is a problem, and the result stays', async () => {
  await writeResult(path(), measured('2026-01-02T03:04:05.678Z'))
  await writeFile(folder('previous'), '')
  await expect(keepPrevious(path())).rejects.toMatchObject({ code: 'output-unwritable' })
  expect((await readResult(path())).variants).toHaveLength(variants.length)
})
