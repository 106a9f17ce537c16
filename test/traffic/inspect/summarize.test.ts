import { ObjectId } from 'bson'
import { array, nat, record } from 'fast-check'
import { expect, test } from 'vitest'
import { Stream, placeKey } from '../../../src/core/random.ts'
import { createArrivalTimes } from '../../../src/load/plan/arrival-times.ts'
import { findShape } from '../../../src/protocol/bson/command-shape.ts'
import type { ReportChart } from '../../../src/report/charts/report-chart.ts'
import { formatTextBlocks } from '../../../src/report/formats/text-blocks.ts'
import { createArrivals, toArrivals } from '../../../src/traffic/inspect/arrivals.ts'
import { trafficBlocks } from '../../../src/traffic/inspect/blocks.ts'
import { trafficHtml } from '../../../src/traffic/inspect/page.ts'
import { createConcurrency, summarize } from '../../../src/traffic/inspect/summarize.ts'
import { openRecording } from '../../../src/traffic/recording/open-recording.ts'
import type { RecordedCall, RecordedReply } from '../../../src/traffic/recording/recorded-call.ts'
import { forAll } from '../../fakes/for-all.ts'
import { useFreshFolder } from '../../fakes/temporary-folder.ts'
import { aCall, aReplyOf, writeAll } from '../calls.ts'

const inFolder = useFreshFolder()

function shape(command: object) {
  const { name, text } = findShape(aCall(command))
  return { name, text }
}

test('a shape has keys and types, and no values', () => {
  expect(
    shape({
      find: 'orders',
      filter: { status: 'open', at: { $gt: new Date(0) } },
      sort: { at: -1 },
      limit: 5,
      batchSize: 7,
    }),
  ).toEqual({
    name: 'find orders status, at',
    text: 'shop.orders find {filter: {status: string, at: {$gt: date}}, sort: {at: number}, limit: number}',
  })
  expect(shape({ find: 'orders', filter: { a: 1 }, projection: { b: 1, 'c.d': 1 } }).name).toBe(
    'find orders a (b, c.d)',
  )
  expect(shape({ find: 'orders', filter: { a: { $in: [1, 2, 3] } } })).toEqual(
    shape({ find: 'orders', filter: { a: { $in: [4.5] } } }),
  )
  expect(shape({ find: 'orders', filter: { a: 1 } })).not.toEqual(shape({ find: 'orders', filter: { a: 'x' } }))
  expect(shape({ update: 'orders', updates: [{ q: { _id: new ObjectId() }, u: { $set: { a: true } } }] }).name).toBe(
    'update orders _id',
  )
  expect(shape({ aggregate: 'orders', pipeline: [{ $match: { a: 1, b: 2 } }, { $count: 'n' }], cursor: {} }).name).toBe(
    'aggregate orders a, b',
  )
  expect(shape({ insert: 'orders', documents: [{ a: 1 }] }).text).toBe(
    shape({ insert: 'orders', documents: [{ b: 1 }, {}] }).text,
  )
  expect(shape({ getMore: 7n, collection: 'orders' })).toEqual({
    name: 'getMore orders',
    text: 'shop.orders getMore {}',
  })
})

test('the greatest number of calls at the same time is that of the moment with most of them', () =>
  forAll(array(record({ start: nat(100), length: nat(30) })), (calls) => {
    const concurrency = createConcurrency()
    for (const { start, length } of calls.toSorted((a, b) => a.start - b.start)) concurrency.add(start, start + length)
    const at = (time: number): number =>
      calls.filter(({ start, length }) => start <= time && time < start + length).length
    const most = Math.max(0, ...calls.map(({ start }) => at(start)))
    // A call of no length is there for a moment.
    expect(concurrency.max()).toBeGreaterThanOrEqual(most)
    expect(concurrency.max()).toBeLessThanOrEqual(most + calls.filter(({ length }) => length === 0).length)
  }))

const dispersion = (gapUs: (i: number) => number): number | null => {
  const arrivals = createArrivals()
  let atUs = 0
  for (let i = 0; i < 20_000; i++) arrivals.add((atUs += gapUs(i)))
  return arrivals.result(atUs).dispersion
}

test('random arrivals have a dispersion near 1, bursts a greater one, a clock none', () => {
  const rng = new Stream(placeKey(1, 'arrivals')).at(0)
  expect(dispersion(() => -Math.log(1 - rng.float()) * 1000)).toBeCloseTo(1, 0)
  expect(dispersion((i) => (i % 500 === 0 ? 500_000 : 0))).toBeGreaterThan(50)
  expect(dispersion(() => 1000)).toBeLessThan(0.1)
})

test('a rate that rises slowly is no burst, and sparse calls are random', () => {
  const rng = new Stream(placeKey(2, 'arrivals')).at(0)
  const gap = (meanUs: number): number => -Math.log(1 - rng.float()) * meanUs
  expect(dispersion((i) => gap(10_000 - i / 2.1))).toBeCloseTo(1, 0)
  expect(dispersion(() => gap(1_000_000))).toBeCloseTo(1, 0)
})

test.each([
  ['poisson', 'poisson'],
  ['constant', 'constant'],
  [{ burstsOf: 8 }, { burstsOf: expect.closeTo(8, 0) as number }],
] as const)('the arrivals of an open load with %j are recognized', (arrivals, recognized) => {
  const next = createArrivalTimes({ ramps: [{ seconds: 200, from: 500, to: 500 }], arrivals, seed: 1, place: '' })
  const seen = createArrivals()
  for (let ms = next(); ms !== undefined; ms = next()) seen.add(ms * 1000)
  expect(toArrivals(seen.result(200_000_000).dispersion)).toEqual(recognized)
})

test('a recording is summarized on lines of at most 80 columns', async () => {
  const file = inFolder('a.mprec')
  const calls = Array.from({ length: 300 }, (_, i) =>
    aCall(
      i % 3 === 0
        ? { insert: 'orders', documents: [] }
        : { find: 'orders', filter: { customer: i, status: 'open', 'shipping.address.country': 'NZ' } },
      {
        connection: i % 4,
        startUs: i * 20_000,
        latencyUs: 1000 + i,
        session: { number: i % 5, transactionNumber: i, transaction: i % 30 === 0 ? 'starts' : 'none' },
        reply: aReplyOf(i % 3 === 0 ? { n: 1, code: i === 3 ? 11_000 : 0 } : { documents: 2, digest: 5n }),
      },
    ),
  )
  await writeAll(file, [...calls, aCall({ hello: 1 })])
  await using recording = await openRecording(file)
  const summary = await summarize(recording)
  expect(summary).toMatchObject({
    calls: 300,
    connections: 4,
    sessions: 5,
    transactions: 10,
    maxConcurrency: 1,
    leftOut: { handshakes: 1 },
  })
  expect(
    summary.shapes.map(({ name, calls: number, errors, documentsPerCall }) => [name, number, errors, documentsPerCall]),
  ).toEqual([
    ['find orders customer, status, shipping.address.country', 200, 0, 2],
    ['insert orders', 100, 1, null],
  ])
  const lines = formatTextBlocks(trafficBlocks(summary, 'shop.mprec'), 80).flatMap(({ text }) => text.split('\n'))
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  expect(lines).toSay('traffic-summary')
})

const find = (field: string, latencyUs: number, work: RecordedReply['work']): RecordedCall =>
  aCall({ find: 'orders', filter: { [field]: 1 } }, { latencyUs, reply: aReplyOf({ documents: 10, work }) })

test('what a log says of the work of the server is listed, what took most of the time first', async () => {
  const file = inFolder('a.mprec')
  const slow = { plan: 'COLLSCAN', keys: 0, documents: 20_000 }
  const fast = { plan: 'IXSCAN { customer: 1, status: 1, at: -1 }', keys: 12, documents: 10 }
  await writeAll(file, [
    ...[1, 2, 3].map(() => find('customer', 2000, fast)),
    find('status', 90_000, slow),
    find('status', 1000, { ...fast, documents: 10_000 }),
    find('status', 1000, { ...slow, documents: 30_000 }),
    find('elsewhere', 2000, null),
  ])
  await using recording = await openRecording(file)
  const summary = await summarize(recording)
  expect(summary.shapes.find(({ name }) => name.endsWith('status'))).toMatchObject({
    totalUs: 92_000,
    work: { plan: 'COLLSCAN', keys: 4, documents: 20_000 },
  })
  const lines = formatTextBlocks(trafficBlocks(summary, 'shop.mprec'), 80).flatMap(({ text }) => text.split('\n'))
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  expect(lines).toSay('traffic-work')
  expect(trafficHtml(file, summary)).toContain('IXSCAN { customer: 1, status: 1, at: -1 }')
})

test('a page of a recording has all shapes and the rate over time, and runs nothing that is in the file', async () => {
  const file = inFolder('a.mprec')
  const calls = Array.from({ length: 90 }, (_, i) =>
    aCall(
      { find: `orders${i % 30}`, filter: { 'a<script>b': 'secret' } },
      { startUs: i < 60 ? i * 50_000 : 7_000_000 + i * 10_000, reply: aReplyOf({ documents: 1 }) },
    ),
  )
  await writeAll(file, calls, {}, 7_300_000)
  await using recording = await openRecording(file)
  const summary = await summarize(recording)
  expect(summary.arrivals.overTime).toEqual({ secondsPerBin: 1, calls: [20, 20, 20, 0, 0, 0, 0] })
  const html = trafficHtml(file, summary)
  expect(html).toContain('Traffic in a.mprec')
  for (let i = 0; i < 30; i++) expect(html).toContain(`find orders${i} a&lt;script&gt;b`)
  expect(html).not.toContain('a<script>b')
  expect(html).not.toContain('secret')
  const [, chart = '{}'] = /data-json="chart">(.*?)<\/script>/s.exec(html) ?? []
  const { picture } = JSON.parse(chart) as ReportChart
  expect(picture.lines[0]?.points.map(({ x, y }) => [x, y])).toEqual([
    [0.5, 20],
    [1.5, 20],
    [2.5, 20],
    [3.5, 0],
    [4.5, 0],
    [5.5, 0],
    [6.5, 0],
  ])
})

test('calls over a long time are counted in longer bins, all of them', () => {
  const arrivals = createArrivals()
  for (let second = 0; second < 5000; second++) arrivals.add(second * 1_000_000)
  const { secondsPerBin, calls } = arrivals.result(5_000_000_000).overTime
  expect(secondsPerBin).toBe(16)
  expect(calls).toHaveLength(312)
  expect(new Set(calls)).toEqual(new Set([16]))
})

test('a client that sends one call at a time has one, also where its driver ends cursors and sessions beside it', async () => {
  const file = inFolder('serial.mprec')
  await writeAll(file, [
    aCall({ find: 'orders' }, { startUs: 0, latencyUs: 100 }),
    aCall({ find: 'orders' }, { startUs: 100, latencyUs: 100 }),
    aCall({ killCursors: 'orders' }, { connection: 1, startUs: 150, latencyUs: 100 }),
    aCall({ endSessions: [] }, { connection: 1, startUs: 160, latencyUs: 100 }),
  ])
  await using recording = await openRecording(file)
  expect((await summarize(recording)).maxConcurrency).toBe(1)
})

test('the writer of a recording counts connections as inspect does: those with calls', async () => {
  const file = inFolder('connections.mprec')
  const calls = [3, 8, 3, 5].map((connection, i) => aCall({ find: 'orders' }, { connection, startUs: i }))
  const { connections } = await writeAll(file, [...calls, aCall({ saslStart: 1 }, { connection: 9, startUs: 9 })])
  await using recording = await openRecording(file)
  expect([connections, (await summarize(recording)).connections]).toEqual([3, 3])
})

test('calls over time begin with the first call', () => {
  const arrivals = createArrivals()
  for (const second of [30, 30, 31]) arrivals.add(second * 1e6)
  expect(arrivals.result(33e6).overTime.calls).toEqual([2, 1, 0])
})
