import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { syncHandle } from '../../src/core/files/write-durably.ts'

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
