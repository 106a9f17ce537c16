import { mkdtemp, rm, stat, writeFile, open, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, syncHandle } from '../../src/core/files.ts'

test('a folder is made with those around it, and the outermost is returned', async () => {
  const place = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const inner = path.join(place, 'a', 'b', 'c')
  expect(makeFolder(inner)).toBe(path.join(place, 'a'))
  expect((await stat(inner)).isDirectory()).toBe(true)
  expect(makeFolder(inner)).toBeUndefined()
  await writeFile(path.join(place, 'file'), '')
  expect(() => makeFolder(path.join(place, 'file', 'folder'))).toThrow('ENOTDIR')
  expect(() => makeFolder(path.join(place, 'file', 'folder', 'inner'))).toThrow('ENOTDIR')
  await rm(place, { recursive: true })
})

test.runIf(process.platform === 'linux')('where nothing can be made, that is an error at once', () =>
  expect(() => makeFolder('/proc/mongo-perf/state')).toThrow('ENOENT'),
)

const sync = (): never => {
  throw new Error('Method not implemented.')
}

test('a file is synced by a handle that has nothing but its number, as those of Yarn PnP', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-test-'))
  const file = path.join(folder, 'result.json')
  const handle = await open(file, 'wx')
  await handle.writeFile('{}')
  await syncHandle(Object.create(handle, { sync: { value: sync }, fd: { value: handle.fd } }))
  await handle.close()
  expect(await readFile(file, 'utf8')).toBe('{}')
  await rm(folder, { recursive: true })
})
