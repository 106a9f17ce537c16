import { expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { type RecordingHeader } from '../../../src/traffic/recording/header.ts'
import { type Recording } from '../../../src/traffic/recording/open-recording.ts'
import { type RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'
import { prepareReplay, type ReplayOptions } from '../../../src/traffic/replay/prepare-replay.ts'
import { aCall, header } from '../calls.ts'
import { aRecording } from './a-recording.ts'

function prepare(
  calls: readonly RecordedCall[],
  options: Partial<ReplayOptions> = {},
  changes: Partial<RecordingHeader> = {},
) {
  const recording: Recording = {
    header: { ...header, ...changes },
    ...aRecording(calls),
    end: () => undefined,
    [Symbol.asyncDispose]: async () => {},
  }
  return prepareReplay(recording, 'traffic/shop.mprec', {
    fromUs: 0,
    untilUs: Infinity,
    only: undefined,
    speed: 1,
    connections: 'as-recorded',
    compareDocuments: false,
    existing: true,
    mayWrite: () => false,
    isRepeated: false,
    data: undefined,
    clock: systemClock,
    ...options,
  })
}

const mayWrite = (database: string): boolean => database === 'shop'

const failure = (prepared: Promise<unknown>): Promise<unknown> => prepared.catch((error: unknown) => error)

const find = aCall({ find: 'orders', filter: { _id: 1 } })
const insert = aCall({ insert: 'orders', documents: [{ _id: 1 }] }, { startUs: 1_000_000 })

test('writes go to a server that is not ours only where that is allowed', async () => {
  expect(await failure(prepare([find, insert]))).toSay('replay-writes-refused')
  await expect(prepare([find, insert], { existing: false })).resolves.toBeDefined()
  await expect(prepare([find, insert], { mayWrite: () => true })).resolves.toBeDefined()
  await expect(prepare([find, insert], { only: new Set(['find']) })).resolves.toBeDefined()
  await expect(prepare([find, insert], { untilUs: 1000 })).resolves.toBeDefined()
})

test('data are loaded on a server that is not ours only where that is allowed, and written to again only with them', async () => {
  const data = {
    database: 'shop',
    from: 'dump',
    dataSets: [{ collection: 'orders', file: 'dump', namespace: 'shop.orders' }],
  }
  expect(await failure(prepare([find], { data }))).toSay('replay-load-refused')
  const { spec, ownLoad } = await prepare([find, insert], { data, mayWrite, isRepeated: true })
  expect(spec.data).toEqual(data.dataSets)
  expect(ownLoad.database).toBe('shop')
  expect(await failure(prepare([find, insert], { mayWrite, isRepeated: true }))).toSay('replay-written-twice')
  const merge = aCall({ aggregate: 'orders', pipeline: [{ $merge: 'copies' }] })
  expect(await failure(prepare([merge], { data, mayWrite }))).toSay('replay-merge-refused')
})

test('a recording without a call to replay says what was left out', async () => {
  expect(await failure(prepare([aCall({ ping: 1 }), find], { fromUs: 5 }))).toSay('replay-of-nothing')
})

test('documents are compared only where the recording has them', async () => {
  const hashed = prepare([find], { compareDocuments: true }, { values: 'hash' })
  expect(await failure(hashed)).toSay('replay-without-documents')
})

test('a replay is a run of a spec with an operation for each shape, the most frequent first', async () => {
  const { spec } = await prepare([insert, find, { ...find, startUs: 500_000 }], { existing: false })
  expect(spec.name).toBe('replay-shop')
  expect(spec.target).toEqual({ kind: 'standalone' })
  expect(spec.phases).toMatchObject([
    {
      load: { kind: 'open', ratePerSecond: 3 },
      stopAfter: { operations: 3 },
      operations: [{ name: 'find-orders-_id' }, { name: 'insert-orders' }],
    },
  ])
})
