import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openStreamFile } from '../../../src/run/live/stream-file.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'
import { aSecond } from './a-second.ts'

const folder = useFreshFolder()

async function writeSeconds(path: string, seconds: readonly number[], appends: boolean): Promise<void> {
  const { write, close } = await openStreamFile(path, { appends })
  for (const second of seconds) await write(aSecond({ second }))
  await close()
}

const secondsIn = async (path: string): Promise<readonly number[]> =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly second: number }).second)

test('each event is a line, and all of them are in the file once it is closed', async () => {
  const path = folder('run.ndjson')
  await writeSeconds(path, [0, 1, 2], false)
  expect(await secondsIn(path)).toEqual([0, 1, 2])
})

test('a new run replaces the events of an earlier one, and a resumed one adds to them', async () => {
  const path = folder('run.ndjson')
  await writeSeconds(path, [0, 1], false)
  await writeSeconds(path, [2], false)
  await writeSeconds(path, [3], true)
  expect(await secondsIn(path)).toEqual([2, 3])
})

test('more than a file takes at once is waited for', async () => {
  const path = folder('run.ndjson')
  const { write, close } = await openStreamFile(path, { appends: false })
  const large = write(aSecond({ phase: 'x'.repeat(1_000_000) }))
  expect(large).toBeInstanceOf(Promise)
  await large
  expect(write(aSecond())).toBeUndefined()
  await close()
})

test('a folder that is not there is a problem before anything runs', async () => {
  const file = folder('none', 'run.ndjson')
  await expect(openStreamFile(file, { appends: false })).rejects.toSay('stream-unwritable', { file })
})

test.runIf(process.platform === 'linux')('a disk without room is a problem at the end, not in the run', async () => {
  const { write, close } = await openStreamFile('/dev/full', { appends: false })
  await write(aSecond())
  await expect(close()).rejects.toSay('stream-disk-full')
})
