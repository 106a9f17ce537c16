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
      ...(foreign !== undefined && {
        [`lines that are not from the log of a mongod, the first is line ${foreign}`]: 1,
      }),
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

/** Records a log of these lines. */
async function record(lines: readonly string[]) {
  const log = inFolder('mongod.log')
  await writeFile(log, lines.join('\n'))
  const file = inFolder('a.mprec')
  const { leftOut } = await recordLog(log, { file, values: 'keep' })
  const { calls } = await readAll(file)
  return { leftOut, commands: calls.map((call) => commandOf(call)) }
}

const remote = '127.0.0.1:40000'
const statement = (q: number, more: Document = {}): string =>
  line({ type: 'update', command: { q: { _id: q }, u: { a: 1 }, multi: false, upsert: false }, remote, ...more })
const whole = (updates: unknown, more: Document = {}): string =>
  line({ ns: 'shop.$cmd', command: { update: 'orders', ...(updates === 0 ? {} : { updates }) }, remote, ...more })
const listed = [{ q: { _id: 1 }, u: { a: 1 } }]
const beside = 'writes as a whole, beside their statements'

test.each<[what: string, lines: readonly string[], calls: number, leftOut: object]>([
  ['its only statement', [statement(1), whole(listed)], 1, { [beside]: 1 }],
  ['all of them', [statement(1), statement(2), whole(2)], 2, { [beside]: 1 }],
  [
    'two of five',
    [statement(1), statement(2), whole(5)],
    2,
    { 'statements of bulk updates, which are not in the log': 3 },
  ],
  ['none, and the command has them', [whole(listed)], 1, {}],
  ['none of five', [whole(5)], 0, { 'statements of bulk updates, which are not in the log': 5 }],
  ['none, and no number', [whole(0)], 0, { 'bulk updates whose statements are not in the log': 1 }],
  ['one, and no number', [statement(1), whole(0)], 1, { 'bulk updates of which the log may lack statements': 1 }],
  ['that of another connection', [statement(1, { remote: 'b:1' }), whole(listed)], 2, {}],
  ['that of another collection', [statement(1, { ns: 'shop.people' }), whole(listed)], 2, {}],
  [
    'that of an earlier command',
    [statement(1), EJSON.stringify({ ...EJSON.parse(whole(listed)), t: new Date('2026-11-28T05:01:00Z') })],
    2,
    {},
  ],
])('a write is left out as a whole only where its statements are there %s', async (_, lines, calls, leftOut) => {
  const made = await record(lines)
  expect(made.commands).toHaveLength(calls)
  expect(made.leftOut).toEqual(leftOut)
})

test('a findAndModify with an update is a call, and so is an insert with its documents', async () => {
  const commands = [
    { findAndModify: 'jobs', query: { state: 'new' }, update: { $set: { state: 'taken' } } },
    { findandmodify: 'jobs', query: { state: 'new' }, update: { state: 'taken' } },
    { findAndModify: 'jobs', query: { state: 'new' }, remove: true },
    { insert: 'jobs', documents: [{ _id: 1 }], ordered: true },
  ]
  const made = await record([
    ...commands.map((command) => line({ command, remote })),
    line({ command: { insert: 'jobs', documents: 2 } }),
    line({ type: 'update', command: { update: 0, filter: {}, updateMods: {} } }),
  ])
  expect(made.commands).toEqual(commands)
  expect(made.leftOut).toEqual({
    'inserts, which are there without their documents': 1,
    'single writes of a bulkWrite': 1,
  })
})
