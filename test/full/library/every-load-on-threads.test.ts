import { expect, test } from 'vitest'
import { defineSpec, run, type SpecInput } from '../../../src/entries/index.ts'
import { bank, transferPhase, whole } from '../../contract/servers/checks/a-bank.ts'
import { ownServer } from '../../contract/support/own-server.ts'
import { fail } from '../../fakes/fail.ts'

const server = ownServer()

const items = { collection: 'items', document: { _id: { '@row': {} }, n: { '@int': { min: 1, max: 1000 } } } }
const on = (threads: number, workers: number) => ({ kind: 'closed', workers, threads }) as const

/** Inserts, reads and updates, with checks that know every document that was sent. */
const checked = (name: string, load: object): SpecInput =>
  defineSpec({
    name,
    data: { ...items, rows: 200 },
    phases: [
      {
        name: 'mix',
        load: load as { kind: 'closed'; workers: number },
        warmup: { operations: 10 },
        stopAfter: { operations: 400 },
        operations: [
          { kind: 'insertOne', weight: 2 },
          { kind: 'findOne', weight: 2, filter: { _id: { '@key': { distribution: 'zipfian' } } }, expectDocuments: 1 },
          {
            kind: 'updateOne',
            filter: { _id: { '@key': { distribution: 'sequential' } } },
            update: { $set: { seen: { '@nextRow': {} } } },
          },
        ],
      },
    ],
    checks: [
      { kind: 'acknowledgedWritesSurvive', operation: 'mix.insertOne' },
      { kind: 'countMatches', collection: 'items' },
    ],
  })

test.each([
  ['closed', { kind: 'closed', workers: 8 }],
  // As many places as operations: none is dropped, however slow the machine is.
  ['open', { kind: 'open', ratePerSecond: 200, arrivals: 'poisson', maxInFlight: 400 }],
])(
  'with checks, the %s loop has the same digest, calls and findings on 1, 2 and 4 threads',
  async (kind, load) => {
    const seen = []
    for (const threads of [1, 2, 4]) {
      const { variants } = await run(checked(`checked-${kind}-${threads}`, { ...load, threads }), { uri: server.uri })
      const [variant] = variants
      const [phase] = variant?.phases ?? []
      seen.push({
        digest: phase?.digest,
        rowGaps: phase?.rowGaps,
        endedBecause: phase?.endedBecause,
        calls: phase?.operations.map(({ name, ok, failed, unknown, inserted }) => [
          name,
          ok,
          failed,
          unknown,
          inserted,
        ]),
        dropped: phase?.openLoop?.dropped,
        checks: variant?.checks.map(({ name, status, measures }) => [name, status, measures['acknowledged']]),
      })
    }
    const [one] = seen
    expect(one).toMatchObject({ endedBecause: 'operations', rowGaps: 0, digest: expect.stringMatching(/-400$/) })
    expect(one?.checks).toEqual([
      ['acknowledgedWritesSurvive', 'held', expect.any(Number)],
      ['countMatches', 'held', undefined],
    ])
    expect(seen).toEqual([one, one, one])
  },
  300_000,
)

test('a search for the best number of workers runs on two threads', async () => {
  const { variants } = await run(
    defineSpec({
      name: 'peak',
      data: { ...items, rows: 100 },
      phases: [
        {
          name: 'read',
          load: { kind: 'findPeak', from: 2, to: 5, secondsPerStep: 0.5, gain: 0, threads: 2 },
          operations: [{ kind: 'findOne', filter: { _id: { '@key': {} } } }],
        },
      ],
    }),
    { uri: server.uri },
  )
  const [phase] = variants[0]?.phases ?? []
  const steps = phase?.windows ?? []
  expect(steps.map(({ at }) => at).slice(0, 2)).toEqual([2, 4])
  expect(steps.at(-1)).toMatchObject({ purpose: 'confirm', ok: phase?.operations[0]?.ok })
  expect(phase?.client.threads).toHaveLength(2)
})

test('transactions, a change stream, a fault and checks work on two threads', async () => {
  const { data } = bank('together', [])
  const { variants } = await run(
    defineSpec({
      name: 'together',
      target: { kind: 'replicaSet', members: 1 },
      data,
      phases: [
        {
          ...transferPhase({ seconds: 3 }, whole),
          load: on(2, 8),
          operations: [whole, { kind: 'changeStream', collection: 'transfers' }],
          faults: [{ kind: 'pause', target: 'primary', atSeconds: 1, forSeconds: 0.5 }],
        },
      ],
      checks: [
        { kind: 'sumUnchanged', collection: 'accounts', field: 'balance' },
        {
          kind: 'journalMatches',
          operation: 'transfers.transfer',
          balances: { collection: 'accounts', field: 'balance' },
          entries: { collection: 'transfers', from: 'from', to: 'to', amount: 'amount' },
        },
      ],
    } as SpecInput),
  )
  const [phase] = variants[0]?.phases ?? []
  const [transfers] = phase?.operations ?? []
  const committed = transfers?.transaction?.commits ?? 0
  expect(committed).toBeGreaterThan(0)
  expect(transfers?.perSecond.ok.reduce((sum, ok) => sum + ok, 0)).toBe(committed)
  expect(phase?.client.threads.reduce((sum, { operations }) => sum + (operations ?? 0), 0)).toBeGreaterThanOrEqual(
    committed,
  )
  expect(phase?.streams[0]?.events).toBeGreaterThanOrEqual(committed)
  expect(phase?.availability).toMatchObject([{ fault: 'pause', occurrence: 0 }])
  const { doneAtSeconds, undoneAtSeconds } = phase?.faults[0]?.occurrences[0] ?? fail('Nothing happened')
  // A fault that a busy machine begins late is undone when planned all the same, so its pause is shorter.
  const pausedMs = ((undoneAtSeconds ?? fail('not undone')) - doneAtSeconds) * 1000
  expect(pausedMs).toBeGreaterThan(0)
  expect(phase?.availability[0]?.longestGapMs).toBeGreaterThan(0.8 * pausedMs)
  expect(variants[0]?.checks.map(({ name, status }) => [name, status])).toEqual([
    ['sumUnchanged', 'held'],
    ['journalMatches', 'held'],
  ])
})
