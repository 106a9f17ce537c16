import { expect, test } from 'vitest'
import { readCalls } from '../../../../src/sources/init/recording/read-calls.ts'
import { useFreshFolder } from '../../../fakes/temporary-folder.ts'
import { aCall, writeAll } from '../../../traffic/calls.ts'

const inFolder = useFreshFolder()

test('a command that is not BSON does not keep the others from making a spec', async () => {
  const file = inFolder('a.mprec')
  const damaged = aCall({ find: 'orders', filter: { status: 'open' } })
  // The zero at the end of the text.
  damaged.command[damaged.command.indexOf('open') + 4] = 7
  await writeAll(file, [damaged, aCall({ find: 'orders', filter: { status: 'paid' } })])
  const { database, found, summary } = await readCalls(file)
  expect(database).toBe('shop')
  expect(summary.calls).toBe(2)
  expect(found.groups.map(({ count }) => count)).toEqual([1])
})
