import { type PathLike } from 'node:fs'
import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { removeUnfinished } from '../../src/core/files.ts'
import { prepareOutput, readResult, writeOutput, writeResult } from '../../src/results/files/results-file.ts'
import { phaseResult, type Result } from '../../src/results/schema.ts'
import { resultVersion } from '../../src/results/version.ts'
import { compactRow } from '../../src/run/compact-row.ts'
import { emptyResult, fakePhase } from '../fakes/fake-result.ts'
import { storedResult } from '../fakes/stored-results.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const folder = useFreshFolder()
const path = (): string => folder('result.json')

test('what was written is read again, and nothing else is left in the folder', async () => {
  await writeResult(path(), emptyResult())
  expect(await readResult(path())).toEqual(emptyResult())
  expect(await readdir(folder())).toEqual(['result.json'])
})

test('histograms of seconds are read again, and compact rows have none', async () => {
  const result = storedResult('cache-misses')
  await writeResult(path(), result)
  const read = await readResult(path())
  expect(read).toEqual(result)
  expect(read.variants[0]?.phases[0]?.operations[0]?.perSecond.histograms).toHaveLength(12)
  expect(JSON.stringify(read.variants.map((row) => compactRow(row, new Set())))).not.toContain('istograms')
})

test('a write replaces the older result', async () => {
  await writeResult(path(), emptyResult({ status: 'running' }))
  await writeResult(path(), emptyResult({ status: 'done' }))
  expect((await readResult(path())).status).toBe('done')
})

test('the phases of a result from before there were two engines were sent by the driver', () => {
  const { engine: _, ...older } = fakePhase()
  expect(phaseResult.parse(older).engine).toBe('driver')
})

const diskFull = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))

test('a full disk leaves the older result complete and is reported', async () => {
  await writeResult(path(), emptyResult())
  await expect(writeResult(path(), emptyResult({ status: 'aborted' }), diskFull)).rejects.toSay('disk-full', {
    path: path(),
  })
  expect(await readResult(path())).toEqual(emptyResult())
  expect(await readdir(folder())).toEqual(['result.json'])
})

test('an image that is not written to its end leaves the older one complete', async () => {
  const image = folder('chart.png')
  await writeOutput(image, Buffer.from('older'))
  await expect(writeOutput(image, Buffer.from('newer'), diskFull)).rejects.toMatchObject({ code: 'disk-full' })
  expect(await readFile(image, 'utf8')).toBe('older')
  expect(await readdir(folder())).toEqual(['chart.png'])
})

test.each<[string, (file: string) => Promise<void>]>([
  ['report.md', (file) => writeOutput(file, '# Report')],
  ['result.json', (file) => writeResult(file, emptyResult())],
  ['result.json.tmp', () => writeResult(path(), emptyResult())],
  ['.mongo-perf-trial', () => prepareOutput(folder())],
])('a link %s in the output folder is replaced, and the file that it leads to stays as it is', async (name, write) => {
  const target = folder('mine.txt')
  await writeFile(target, 'Mine.')
  await symlink(target, folder(name))
  await write(folder(name))
  expect(await readFile(target, 'utf8')).toBe('Mine.')
  expect((await lstat(folder(name)).catch(() => null))?.isSymbolicLink() ?? false).toBe(false)
})

test('what a crash left half-written beside the result harms neither reading nor the next write', async () => {
  await writeResult(path(), emptyResult({ status: 'running' }))
  await writeFile(`${path()}.tmp`, '{"format":"mongo-perf-res')
  expect((await readResult(path())).status).toBe('running')
  await writeResult(path(), emptyResult())
  expect(await readResult(path())).toEqual(emptyResult())
  expect(await readdir(folder())).toEqual(['result.json'])
})

test('when the new result is renamed, it is complete, and the older one is still whole', async () => {
  await writeResult(path(), emptyResult({ status: 'running' }))
  const seen: string[] = []
  const crash = async (from: PathLike): Promise<void> => {
    for (const file of [from, path()]) seen.push((await readResult(String(file))).status)
    throw new Error('The process ends here')
  }
  const written = writeResult(path(), emptyResult({ status: 'done' }), crash)
  await expect(written).rejects.toMatchObject({ code: 'output-unwritable' })
  expect(seen).toEqual(['done', 'running'])
  expect((await readResult(path())).status).toBe('running')
})

test('the output folder is made before a run, with its parents, and left empty', async () => {
  const deep = folder('out', 'insert-batch-size')
  await prepareOutput(deep)
  expect(await readdir(deep)).toEqual([])
})

test('an output folder that cannot be made is a problem before the run, with a way out', async () => {
  await writeFile(path(), '')
  await expect(prepareOutput(path())).rejects.toSay('output-is-a-file', { path: path() })
  const deeper = join(path(), 'deeper')
  await expect(prepareOutput(deeper)).rejects.toSay('output-below-a-file', { path: deeper })
})

test('a missing file and a folder have different messages', async () => {
  await expect(readResult(path())).rejects.toSay('result-missing', { path: path() })
  await expect(readResult(folder())).rejects.toSay('result-is-a-folder', { folder: folder() })
})

test.each([
  ['no JSON', '{"format":', 'result-not-json'],
  ['another document', '{"name":"a spec"}', 'result-of-another-format'],
  ['a list', '[]', 'result-of-another-format'],
])('a file that holds %s is refused by name', async (_, text, code) => {
  await writeFile(path(), text)
  await expect(readResult(path())).rejects.toSay(code, { path: path() })
})

test('a result with a wrong value is refused with the place of it', async () => {
  const { environment } = emptyResult()
  const host = { ...environment.host, cores: 'two' }
  await writeFile(path(), JSON.stringify({ ...emptyResult(), environment: { ...environment, host } }))
  await expect(readResult(path())).rejects.toSay('result-with-wrong-value', { path: path() })
})

test('of a result with many issues, the first three are listed', async () => {
  await writeFile(path(), JSON.stringify({ format: 'mongo-perf-result', version: resultVersion }))
  await expect(readResult(path())).rejects.toSay('result-with-many-issues', { path: path() })
})

test.each([
  [99, 'result-of-newer-version'],
  [resultVersion - 1, 'result-of-older-version'],
])('a result of version %d is refused with the way out', async (version, code) => {
  await writeFile(path(), JSON.stringify({ ...emptyResult(), version }))
  await expect(readResult(path())).rejects.toSay(code, { path: path(), version, read: resultVersion })
})

test.each([null, '1', 0, -1, 1.5])('the version %j is no version', async (version) => {
  await writeFile(path(), JSON.stringify({ ...emptyResult(), version }))
  await expect(readResult(path())).rejects.toThrow(`${path()} is not a complete result:\n  version: `)
})

/** The text of a stored result, with something else in one place. */
function damaged(change: (operation: Record<string, unknown>) => void): string {
  const result = JSON.parse(JSON.stringify(storedResult('quickstart'))) as Result
  change(result.variants[0]?.phases[0]?.operations[0]?.latency.ok as unknown as Record<string, unknown>)
  return JSON.stringify(result)
}

test.each<[string, string, string]>([
  ['a damaged histogram', 'result-with-damaged-histogram', damaged((latency) => (latency['histogram'] = 'AAAA'))],
  ['a latency of 1e308', 'result-with-endless-latency', damaged((latency) => (latency['meanMs'] = 1e308))],
])('the problem with %s is shown at its place', async (_, code, text) => {
  await writeFile(path(), text)
  await expect(readResult(path())).rejects.toSay(code, { path: path() })
})

test('a file that is nested too deeply is a problem, whatever else is in it', async () => {
  await writeFile(path(), `{"format":"mongo-perf-result","variants":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)
  await expect(readResult(path())).rejects.toSay('result-nested-too-deep', { path: path() })
})

test('a process that ends at once removes what it has half written', async () => {
  await writeResult(path(), emptyResult({ status: 'running' }))
  let isSeen = false
  const end = async (from: PathLike): Promise<void> => {
    isSeen = (await readdir(folder())).includes(basename(String(from)))
    removeUnfinished()
  }
  await writeResult(path(), emptyResult(), end)
  expect(isSeen).toBe(true)
  expect(await readdir(folder())).toEqual(['result.json'])
})
