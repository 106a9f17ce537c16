import { Long } from 'bson'
import { expect, test } from 'vitest'
import { readCalls } from '../../../../src/sources/init/recording/read-calls.ts'
import { type RecordedCall } from '../../../../src/traffic/recording/recorded-call.ts'
import { useFreshFolder } from '../../../fakes/temporary-folder.ts'
import { aCall, aReplyOf, writeAll } from '../../../traffic/calls.ts'

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

const more = (id: bigint, documents: number): RecordedCall =>
  aCall({ getMore: Long.fromBigInt(id), collection: 'orders' }, { reply: aReplyOf({ documents, cursor: 0n }) })

test('a find has the documents of all its batches, as a result has them', async () => {
  const file = inFolder('a.mprec')
  await writeAll(file, [
    aCall({ find: 'orders', filter: { a: 1 } }, { reply: aReplyOf({ documents: 50, cursor: 7n }) }),
    more(7n, 1890),
    // Of a cursor that was opened before the recording.
    more(8n, 5),
  ])
  const { found } = await readCalls(file)
  expect(found.groups.map((group) => [group.call.kind, group.count, group.found])).toEqual([['find', 1, 1940]])
})

test('calls on other databases are counted, those about the server are not, nor are commands of no collection', async () => {
  const file = inFolder('a.mprec')
  const find = { find: 'orders', filter: {} }
  await writeAll(file, [
    aCall(find),
    aCall(find),
    aCall({ dbStats: 1 }),
    aCall(find, { database: 'archive' }),
    aCall({ ping: 1 }, { database: 'admin' }),
  ])
  const { found } = await readCalls(file)
  expect([...found.skipped]).toEqual([['they are not on shop', 1]])
  expect([...found.kinds]).toEqual([['find', 2]])
})
