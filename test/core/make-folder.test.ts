import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../src/core/files/make-folder.ts'

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

test.runIf(process.platform === 'linux')('where nothing can be made, that is an error at once', () => {
  expect(() => makeFolder('/proc/mongo-perf/state')).toThrow('ENOENT')
})
