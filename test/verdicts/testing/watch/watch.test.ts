import path from 'node:path'
import { expect, test } from 'vitest'
import type { QueryPlan } from '../../../../src/load/measure/query-plan.ts'
import { type WatchOptions, validateWatchOptions } from '../../../../src/verdicts/testing/watch/options.ts'
import { type ShapeLine, formatSummary } from '../../../../src/verdicts/testing/watch/summary.ts'
import {
  type SentQueries,
  findFault,
  listApplicationLines,
  shortenLine,
} from '../../../../src/verdicts/testing/watch/test-queries.ts'

const stack = (file: string): string => `    at async load (${path.resolve(file)}:5:9)`

const scan = (docsExamined: number, text = 'COLLSCAN'): QueryPlan => ({
  text,
  indexes: [],
  scansCollection: true,
  figures: { keysExamined: 0, docsExamined, docsReturned: 1 },
})

const queries = (
  { count = 1, plan, isFiltered = true }: { count?: number; plan?: QueryPlan; isFiltered?: boolean },
  options: WatchOptions = {},
): SentQueries => ({
  shape: {
    name: 'find orders customer',
    isFiltered,
    stack: [stack('src/first.js')],
    queries: 0,
    tests: 0,
    examined: 0,
    plan,
  },
  limits: validateWatchOptions(options),
  first: { requestId: 1, commandName: 'find', databaseName: 'shop', command: {} },
  count,
  stack: count > 5 ? [stack('src/loop.js')] : [],
})

const faultOf = (sent: SentQueries, name = 'suite > shows orders') => findFault([sent], name)

test('a shape that is sent more often than allowed is a fault, with the line that sent it', () => {
  const fault = faultOf(queries({ count: 6 }))
  expect(fault).toSay('watch-repeated')
  expect(fault?.stack).toMatch(/^QueryLimitError: [\s\S]*\n    at async load \(.*loop\.js:5:9\)$/)
  expect(faultOf(queries({ count: 5 }))).toBeUndefined()
  expect(faultOf({ ...queries({ count: 6 }), stack: [] })).toSay('watch-repeated-unknown-line')
})

test('a query that examines more documents than allowed without an index is a fault', () => {
  expect(faultOf(queries({ plan: scan(1001) }))).toSay('watch-scan')
  expect(faultOf(queries({ plan: scan(1000) }))).toBeUndefined()
  expect(faultOf(queries({ plan: { ...scan(1001), scansCollection: false } }))).toBeUndefined()
  expect(faultOf(queries({ plan: { ...scan(1001), figures: 'not known' } }))).toBeUndefined()
  expect(faultOf(queries({ count: 6, plan: scan(2000) }))).toSay('watch-both')
})

const unfiltered = (text: string) => faultOf(queries({ plan: scan(2000, text), isFiltered: false }))

test('reading a whole collection without a filter is a fault only where an index would help', () => {
  expect(['COLLSCAN', 'COLLSCAN → DELETE', 'COLLSCAN → $group'].map(unfiltered)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(unfiltered('COLLSCAN → SORT')).toBeInstanceOf(Error)
  expect(unfiltered('COLLSCAN → $lookup COLLSCAN')).toBeInstanceOf(Error)
})

test.each<[allowed: boolean, options: WatchOptions]>([
  [true, { allow: [{ shape: 'find orders customer' }] }],
  [true, { allow: [{ shape: /^find orders/ }] }],
  [true, { allow: [{ test: 'shows orders' }] }],
  [true, { allow: [{ test: /orders$/ }] }],
  [true, { allow: [{ shape: 'find orders customer', test: 'shows' }] }],
  [false, { allow: [{ shape: 'find orders customer', test: 'hides' }] }],
  [false, { allow: [{ shape: 'find orders' }] }],
  [true, { report: true }],
  [false, {}],
])('allowed: %s with %o', (allowed, options) =>
  expect(faultOf(queries({ count: 6 }, options)) === undefined).toBe(allowed),
)

test.each<[code: string, options: object]>([
  ['watch-option-unknown', { repeat: 5 }],
  ['watch-limit-wrong', { scans: -1 }],
  ['watch-allow-empty', { allow: [{}] }],
])('%s', (code, options) => expect(() => validateWatchOptions(options)).toSay(code))

test('lines of packages, of Node.js and of mongo-perf are not those of the application', () => {
  const lines = [
    '    at Collection.findOne (/app/node_modules/mongodb/lib/collection.js:1:2)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
    '    at async Promise.all (index 0)',
    '    at sendCommand.next (<anonymous>)',
    '    at wrapped (/own/dist/testing.js:1:2)',
    '    at async load (file:///app/src/a%20b.js:3:4)',
    '    at async /app/src/server.js:5:6',
  ]
  const found = listApplicationLines(['Error', ...lines].join('\n'), '/own/dist')
  expect(found).toEqual(lines.slice(-2))
  expect(found.map((line) => shortenLine(line, '/app'))).toEqual(['load (src/a b.js:3:4)', 'src/server.js:5:6'])
})

const line = (name: string, examined: number, about: Partial<ShapeLine> = {}): ShapeLine => ({
  name,
  queries: 1,
  tests: 1,
  examined,
  plan: 'IXSCAN _id_ → FETCH',
  scannedBy: null,
  ...about,
})

test('the summary has the ten shapes that examine the most, and all without an index', () => {
  const small = Array.from({ length: 9 }, (_, i) => line(`find orders field${i}`, i + 1))
  const scanned = { plan: 'COLLSCAN', scannedBy: 'load (src/orders.js:5:9)' }
  const lines = [...small, line('find orders customer', 20_000, scanned), line('find carts owner', 0, scanned)]
  expect(formatSummary([...lines, line('find orders field8', 5, { queries: 2 })])).toSay('watch-summary')
})
