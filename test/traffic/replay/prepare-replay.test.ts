import { expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { createShares, wholePhase } from '../../../src/load/plan/share.ts'
import { type RecordingHeader } from '../../../src/traffic/recording/header.ts'
import { type Recording } from '../../../src/traffic/recording/open-recording.ts'
import { type RecordedCall } from '../../../src/traffic/recording/recorded-call.ts'
import { prepareReplay, type ReplayOptions } from '../../../src/traffic/replay/prepare-replay.ts'
import { giveToAgents, prepareForAgent } from '../../../src/traffic/replay/replay-for-agents.ts'
import { aCall, header } from '../calls.ts'
import { aRecording } from './a-recording.ts'

const usual: ReplayOptions = {
  fromUs: 0,
  untilUs: 1e9,
  only: undefined,
  javascript: false,
  expires: true,
  speed: 1,
  connections: 'as-recorded',
  compareDocuments: false,
  existing: true,
  mayWrite: () => false,
  isRepeated: false,
  data: undefined,
  clock: systemClock,
}

const recordingOf = (calls: readonly RecordedCall[], changes: Partial<RecordingHeader> = {}): Recording => ({
  header: { ...header, ...changes },
  ...aRecording(calls),
  end: () => undefined,
  [Symbol.asyncDispose]: async () => {},
})

const prepare = (
  calls: readonly RecordedCall[],
  options: Partial<ReplayOptions> = {},
  changes: Partial<RecordingHeader> = {},
) => prepareReplay(recordingOf(calls, changes), 'traffic/shop.mprec', { ...usual, ...options })

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

test('a recording without a call to replay says what was left out', async () =>
  expect(await failure(prepare([aCall({ ping: 1 }), find], { fromUs: 5 }))).toSay('replay-of-nothing'))

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

const findIn = (session: number, connection: number) =>
  aCall({ find: 'orders' }, { connection, session: { number: session, transactionNumber: null, transaction: 'none' } })

test('shares are at most as many as groups of connections, and as connections, which all of them open together', async () => {
  const calls = [0, 1, 2, 3].map((connection) => findIn(connection >> 1, connection))
  const split = async (options: Partial<ReplayOptions>) => {
    const { shares, spec } = await prepare(calls, { speed: 'max', chooseShares: createShares, ...options })
    return { shares: shares.length, phases: spec.phases, text: spec.description }
  }
  expect(await split({})).toMatchObject({ shares: 2, phases: [{ load: { workers: 4 } }] })
  expect(await split({ connections: 3 })).toMatchObject({ shares: 2, phases: [{ load: { workers: 3 } }] })
  expect(await split({ connections: 1 })).toMatchObject({ shares: 1, phases: [{ load: { workers: 1 } }] })
  expect(String((await split({})).text)).toContain('They are in 2 shares')
})

test('an agent prepares a share with the permissions of its own machine, of the same recording', async () => {
  const [recording, clock] = [recordingOf([find, insert]), systemClock]
  const options = { ...usual, mayWrite: () => true, only: new Set(['find', 'insert']) }
  const given = giveToAgents(options, await prepareReplay(recording, 'shop.mprec', options))
  const share = { index: 0, of: 1 }
  const { spec } = await prepareForAgent(
    recording,
    { given, allowWrites: ['shop'], allowJavaScript: false },
    { share, clock },
  )
  expect(spec.phases).toMatchObject([{ operations: [{ name: 'find-orders-_id' }, { name: 'insert-orders' }] }])
  const refused = prepareForAgent(recording, { given, allowWrites: [], allowJavaScript: false }, { share, clock })
  expect(await failure(refused)).toSay('replay-writes-refused')
  const other = prepareForAgent(
    recordingOf([find]),
    { given, allowWrites: ['shop'], allowJavaScript: false },
    { share, clock },
  )
  expect(await failure(other)).toSay('replay-recording-differs')
})

test('the counts of shares add up in the columns of the result', async () => {
  const { ownLoad, tally } = await prepare([find])
  await ownLoad.units({} as never, async () => [])
  const runs = [[10, 9, 1, 1, 2], [10, 9, 0, 0, 2], undefined].map((counts) => ({ counts }))
  ownLoad.take(runs as never)
  expect(tally()).toMatchObject({ due: 20, onTime: 18, held: 1, shapes: [{ differing: 1, notSent: 4 }] })
  expect(tally().take()).toEqual([20, 18, 1, 1, 4])
  expect(tally()).toMatchObject({ due: 0, onTime: 0, held: 0, shapes: [{ differing: 0, notSent: 0 }] })
})

test.each([
  ['proxy', 0, 2],
  ['profile', 0, null],
  ['log', 9, null],
  ['log', 20, 20],
] as const)(
  'of latencies in whole milliseconds, as in a %s, no ratio is made of less than ten: %d ms',
  async (source, ms, shown) => {
    const latencyUs = source === 'proxy' ? 2000 : ms * 1000
    const calls = Array.from({ length: 40 }, (_, i) =>
      aCall({ find: 'orders', filter: { _id: i } }, { startUs: i * 1000, latencyUs }),
    )
    const { columns, survey } = await prepare(calls, {}, { source })
    const operations = survey.shapes.list.map(({ name }) => ({ name, latency: {} }))
    const recorded = columns['recordedP50Ms']?.value({ phase: { operations }, operations } as never)
    const { perSecond } = columns['recordedP50Ms'] as { readonly perSecond?: () => readonly (number | null)[] }
    expect(perSecond?.().some((value) => value !== null)).toBe(shown !== null)
    expect(typeof recorded === 'number' ? Math.round(recorded) : recorded).toBe(shown)
  },
)

test('JavaScript of a recording runs through an agent only where both allow it', async () => {
  const recording = recordingOf([find, aCall({ find: 'orders', filter: { $where: 'true' } })])
  const ways = { ...usual, javascript: true }
  const prepared = await prepareReplay(recording, 'a.mprec', ways)
  expect(prepared.survey.calls).toBe(2)
  const given = giveToAgents(ways, prepared)
  const on = { share: wholePhase, clock: systemClock }
  const allowed = await prepareForAgent(recording, { given, allowWrites: [], allowJavaScript: true }, on)
  expect(allowed.survey.calls).toBe(2)
  const refused = prepareForAgent(recording, { given, allowWrites: [], allowJavaScript: false }, on)
  await expect(refused).rejects.toThrow('which this agent does not allow')
  const unasked = giveToAgents(usual, await prepareReplay(recording, 'a.mprec', usual))
  const own = await prepareForAgent(recording, { given: unasked, allowWrites: [], allowJavaScript: true }, on)
  expect(own.survey.calls).toBe(1)
})

test('calls that make data expire lose that where a replay loads data, with their number; agents do as the coordinator', async () => {
  const creates = aCall({
    createIndexes: 'orders',
    indexes: [{ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 }],
  })
  const leftOut = async (expires: boolean) => {
    const prepared = await prepare([find, creates], { expires, mayWrite })
    expect(giveToAgents({ ...usual, expires }, prepared)).toMatchObject({ expires })
    return [...prepared.survey.leftOut]
  }
  expect(await leftOut(true)).toEqual([])
  expect(await leftOut(false)).toEqual([['"expireAfterSeconds" of createIndexes', 1]])
})
