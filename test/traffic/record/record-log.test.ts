import { writeFile } from 'node:fs/promises'
import { type Document, EJSON } from 'bson'
import { expect, test } from 'vitest'
import { recordLog } from '../../../src/traffic/record/record-slow.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'
import { commandOf, readAll } from '../calls.ts'

const inFolder = useFreshFolder()

const nested = (depth: number): Document => (depth === 0 ? {} : { a: nested(depth - 1) })

/** A line of a log about a find, with other things in it. */
const line = (attr: Document, t = new Date('2026-11-28T05:00:00Z')): string =>
  EJSON.stringify({
    t,
    msg: 'Slow query',
    attr: { type: 'command', ns: 'shop.orders', command: { find: 'orders' }, durationMillis: 5, ...attr },
  })

test('what no server writes into its log does not keep the rest from being recorded and read', async () => {
  const log = inFolder('mongod.log')
  const lines = [
    line({}),
    line({ command: { find: 'orders', filter: nested(250), $db: 'shop' } }),
    line({ command: { find: 'orders', $db: 'a\0b' } }),
    line({ command: { find: 'orders', lsid: { id: 1 }, txnNumber: -1 } }),
    line({ durationMillis: 1e15 }),
    line({}, new Date(8e15)),
    line({}).slice(0, -20),
    'no JSON, "Slow query"',
    line({ command: { find: 'orders', limit: 7 } }),
  ]
  await writeFile(log, lines.join('\n'))
  const file = inFolder('a.mprec')
  const { calls, leftOut } = await recordLog(log, { file, values: 'keep' })
  const read = await readAll(file)
  expect(leftOut).toEqual({ 'operations that cannot be read': 3 })
  expect(read.calls.length).toBe(calls)
  expect(read.calls.map((call) => commandOf(call))).toContainEqual({ find: 'orders', limit: 7 })
  expect(new Set(read.calls.map(({ database }) => database))).toEqual(new Set(['shop']))
})
