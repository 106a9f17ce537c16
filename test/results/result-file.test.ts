import { readdir, readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createResultFile } from '../../src/results/files/result-file.ts'
import { readResult, writeResult } from '../../src/results/files/results-file.ts'
import { emptyResult } from '../fakes/fake-result.ts'
import { storedResult } from '../fakes/stored-results.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const folder = useFreshFolder()
const path = (): string => folder('result.json')

const { variants } = storedResult('insert-batch-size')
const earlier = emptyResult({ startedAt: '2026-01-02T03:04:05.678Z', variants })
const empty = emptyResult({ status: 'failed' })
const place = (): string => folder('previous', '2026-01-02T03-04-05-678Z', 'result.json')

test('an earlier result stays until something was measured, and is kept then, once', async () => {
  await writeResult(path(), earlier)
  const kept: string[] = []
  const file = createResultFile(path(), { onPrevious: (previous) => kept.push(previous) })
  await file.prepare()
  for (const status of ['running', 'failed', 'aborted'] as const) await file.save(emptyResult({ status }), false)
  expect(file.isWritten()).toBe(false)
  expect(await readResult(path())).toEqual(earlier)
  await file.save(emptyResult({ variants }), true)
  await file.save(emptyResult({ variants, status: 'aborted' }), true)
  expect(file.isWritten()).toBe(true)
  expect(kept).toEqual([place()])
  expect(await readResult(place())).toEqual(earlier)
  expect((await readResult(path())).status).toBe('aborted')
})

test.each([
  ['no result', undefined],
  ['one in which nothing was measured', JSON.stringify(empty)],
])('%s makes way at once', async (_, text) => {
  if (text !== undefined) await writeFile(path(), text)
  const file = createResultFile(path())
  await file.save(emptyResult({ status: 'aborted' }), false)
  expect(file.isWritten()).toBe(true)
  expect((await readResult(path())).status).toBe('aborted')
  expect(await readdir(folder())).toEqual(['result.json'])
})

test('a file that is no result may be worth keeping', async () => {
  await writeFile(path(), 'mine')
  await createResultFile(path()).save(empty, false)
  expect(await readFile(path(), 'utf8')).toBe('mine')
})

test('a result that the run goes on with is not kept beside it, and stays where nothing new was measured', async () => {
  await writeResult(path(), earlier)
  const file = createResultFile(path(), { resumes: true })
  await file.prepare()
  await file.save(empty, false)
  expect(await readResult(path())).toEqual(earlier)
  await file.save(emptyResult({ variants }), true)
  expect(await readdir(folder())).toEqual(['result.json'])
})

test('a place where the earlier result cannot be kept is a problem before anything is measured', async () => {
  await writeResult(path(), earlier)
  await writeFile(folder('previous'), '')
  await expect(createResultFile(path()).prepare()).rejects.toMatchObject({ code: 'output-unwritable' })
})
