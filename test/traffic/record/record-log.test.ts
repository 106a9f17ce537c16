import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
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
  expect(leftOut).toEqual({
    'operations that cannot be read': 3,
    'lines of the log that cannot be read, the first in line 7': 2,
  })
  expect(read.calls.length).toBe(calls)
  expect(read.calls.map((call) => commandOf(call))).toContainEqual({ find: 'orders', limit: 7 })
  expect(new Set(read.calls.map(({ database }) => database))).toEqual(new Set(['shop']))
})

const slowLines = [5, 7, 9].map((limit) => line({ command: { find: 'orders', limit } }))
const other = '{"t":{"$date":"2026-11-28T05:00:00Z"},"msg":"Connection accepted","attr":{}}'
const pretty = slowLines.map((text) => JSON.stringify(JSON.parse(text), null, 2)).join('\n')
const prefixed = (prefix: string): string => [...slowLines, other].map((text) => prefix + text).join('\n')

test.each([
  ['containers', prefixed('db_1  | ')],
  ['containers in colour', prefixed('\u001b[36mdb_1  |\u001b[0m ')],
  ['pods', prefixed('2026-11-28T05:00:00.000Z stdout F ')],
  ['labels', prefixed('{app="mongod"} ')],
  ['a journal', prefixed('Nov 28 05:00:00 host mongod[42]: ')],
  ['quotes', prefixed('> > ')],
  ['grep', prefixed('mongod.log:17:')],
  ['a file of docker', slowLines.map((log) => JSON.stringify({ log: `${log}\n`, stream: 'stdout' })).join('\n')],
  ['a journal in JSON', slowLines.map((MESSAGE) => JSON.stringify({ PRIORITY: '6', MESSAGE })).join('\n')],
  ['fields of a collector', slowLines.map((text) => `{"resource":{},"jsonPayload":${text}}`).join('\n')],
  ['an array', JSON.stringify(slowLines.map((text) => JSON.parse(text)))],
  ['an array of lines', `[\n${slowLines.join(',\n')}\n]\n`],
  [
    'an array, pretty-printed',
    JSON.stringify(
      slowLines.map((text) => JSON.parse(text)),
      null,
      4,
    ),
  ],
  ['pretty-printed', pretty],
  ['pretty-printed in quotes', pretty.replaceAll(/^/gm, '> ')],
  ['CRLF', slowLines.join('\r\n')],
  ['gzip', gzipSync(slowLines.join('\n'))],
])('a log in %s has all its slow operations', async (_, content) => {
  await writeFile(inFolder('mongod.log'), content)
  const { leftOut } = await recordLog(inFolder('mongod.log'), { file: inFolder('a.mprec'), values: 'keep' })
  const { calls } = await readAll(inFolder('a.mprec'))
  expect(calls.map((call) => commandOf(call)['limit'])).toEqual([5, 7, 9])
  expect(leftOut).toEqual({})
})

const [one = '', two = ''] = slowLines
test.each([
  ['cut at its end', [one, two.slice(0, 60), one], { cannot: 2 }],
  ['without its start', [one, two.slice(40), one], { cannot: 2 }],
  ['of another program', ['web_1 | GET /', one, one], { other: 1 }],
  ['cut when pretty-printed', [pretty.slice(0, 200), one, one], { cannot: 1 }],
  ['cut when pretty-printed, at the end', [one, one, pretty.slice(0, 200)], { cannot: 3 }],
])(
  'a line %s is counted, and the others are recorded',
  async (_, lines, { cannot, other: foreign }: { cannot?: number; other?: number }) => {
    await writeFile(inFolder('mongod.log'), lines.join('\n'))
    const { calls, leftOut } = await recordLog(inFolder('mongod.log'), { file: inFolder('a.mprec'), values: 'keep' })
    expect(calls).toBe(2)
    expect(leftOut).toEqual({
      ...(cannot !== undefined && { [`lines of the log that cannot be read, the first in line ${cannot}`]: 1 }),
      ...(foreign !== undefined && { [`lines that are no log of a mongod, the first in line ${foreign}`]: 1 }),
    })
  },
)

test.each([
  [
    'log-older',
    '2020-05-01T12:00:00.000+0000 I COMMAND  [conn1] command shop.orders command: find { find: "orders" } 120ms\n',
  ],
  ['log-not-slow', `${other}\n`],
  ['log-utf16', Buffer.from(`\ufeff${one}\n`, 'utf16le')],
  ['log-of-newlines', gzipSync(Buffer.alloc(3_000_000, '\n'))],
  ['log-endless', gzipSync(Buffer.alloc(20_000_000))],
])('without a slow operation, it says what is there instead: %s', async (code, content) => {
  await writeFile(inFolder('mongod.log'), content)
  const recorded = recordLog(inFolder('mongod.log'), { file: inFolder('a.mprec'), values: 'keep' })
  await expect(recorded).rejects.toSay(code, { log: inFolder('mongod.log') })
})
