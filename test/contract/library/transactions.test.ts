import { type Document } from 'bson'
import { beforeEach, describe, expect, test } from 'vitest'
import { defineSpec, run, type SpecInput } from '../../../src/entries/index.ts'
import { type PhaseResult } from '../../../src/results/schema.ts'
import { type OperationResult } from '../../../src/results/schema/calls.ts'
import { toDatabaseName } from '../../../src/servers/targets/ownership.ts'
import { fail } from '../../fakes/fail.ts'
import { sharedPrimary, sharedServer } from '../support/shared-servers.ts'

const server = sharedPrimary()

// What a commit that never arrived has left behind would be in the way.
beforeEach(async () => {
  await server.client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' })
  await server.client.db('admin').command({ killAllSessions: [] })
})

type Account = { readonly _id: number; readonly balance: number }
type Entry = { readonly _id: unknown; readonly from: number; readonly to: number; readonly amount: number }
type Runner = 'managed' | 'withTransaction'

const of = (name: string) => server.client.db(toDatabaseName(name))
const journalOf = (name: string): Promise<Entry[]> => of(name).collection<Entry>('transfers').find().toArray()
const balancesOf = async (name: string): Promise<number[]> =>
  (await of(name).collection<Account>('accounts').find().sort({ _id: 1 }).toArray()).map(({ balance }) => balance)

type Parts = {
  readonly name: string
  readonly runner?: Runner
  readonly accounts?: number
  readonly balance?: number
  readonly workers?: number
  readonly threads?: number
  readonly operations?: number
  readonly amount?: number
  readonly transaction?: object
  readonly phase?: object
}

/** Money goes from one account to the next; overdrafts are aborted after the money has been taken. */
const transfers = ({
  name,
  runner = 'managed',
  accounts = 2,
  balance = 1000,
  workers = 1,
  threads = 1,
  operations = 10,
  amount = 10,
  transaction = {},
  phase = {},
}: Parts): SpecInput =>
  defineSpec({
    name,
    target: { kind: 'existing', uriFrom: 'MONGO_PERF_URI' },
    data: [
      { collection: 'accounts', rows: accounts, document: { _id: { '@row': {} }, balance } },
      { collection: 'transfers' },
    ],
    phases: [
      {
        name: 'pay',
        load: { kind: 'closed', workers, threads },
        stopAfter: { operations },
        operations: [
          {
            kind: 'transaction',
            name: 'transfer',
            runner,
            let: {
              rows: {
                '@array': {
                  size: 2,
                  distinct: true,
                  of: { '@pickRow': { of: 'accounts', distribution: 'uniform' } },
                },
              },
              from: { '@arrayElemAt': [{ '@var': 'rows' }, 0] },
              to: { '@arrayElemAt': [{ '@var': 'rows' }, 1] },
            },
            steps: [
              {
                kind: 'findOneAndUpdate',
                name: 'take',
                collection: 'accounts',
                filter: { _id: { '@var': 'from' } },
                update: { $inc: { balance: -amount } },
                abortWhen: {
                  notFound: { '@eq': [{ '@var': 'take.matched' }, 0] },
                  overdraft: { '@lt': [{ '@var': 'take.document.balance' }, amount] },
                },
              },
              {
                kind: 'updateOne',
                name: 'give',
                collection: 'accounts',
                filter: { _id: { '@var': 'to' } },
                update: { $inc: { balance: amount } },
              },
              {
                kind: 'insertOne',
                name: 'entry',
                collection: 'transfers',
                document: { _id: { '@uuid': {} }, from: { '@var': 'from' }, to: { '@var': 'to' }, amount },
              },
            ],
            ...transaction,
          },
        ],
        ...phase,
      },
    ],
  } as SpecInput)

async function phaseOf(parts: Parts): Promise<PhaseResult> {
  const { variants } = await run(transfers(parts), { uri: server.uri })
  return variants[0]?.phases[0] ?? fail('no phase')
}

const resultOf = async (parts: Parts): Promise<OperationResult> =>
  (await phaseOf(parts)).operations[0] ?? fail('no operation')

/** What the entries of the journal make of the accounts. */
function recomputed(entries: readonly Entry[], accounts: number, balance: number): number[] {
  const balances = Array.from({ length: accounts }, () => balance)
  for (const { from, to, amount } of entries) {
    balances[from] = (balances[from] ?? 0) - amount
    balances[to] = (balances[to] ?? 0) + amount
  }
  return balances
}

const failCommand = (data: object, mode: object | string = { times: 1 }): Promise<Document> =>
  server.client
    .db('admin')
    .command({ configureFailPoint: 'failCommand', mode, data: { appName: 'mongo-perf', ...data } })

/** Commands that only the transactions of a spec send. */
const on = (command: 'insert' | 'update', name: string): object => ({
  failCommands: [command],
  namespace: `${toDatabaseName(name)}.${command === 'insert' ? 'transfers' : 'accounts'}`,
})

const nameFor = (what: string, runner: Runner): string => `${what}-${runner.toLowerCase()}`

const runners: readonly Runner[] = ['managed', 'withTransaction']

describe.each(runners)('transactions of the runner %s', (runner) => {
  test('change two documents and insert one, all of it or nothing', async () => {
    const name = nameFor('whole', runner)
    const result = await resultOf({ name, runner, operations: 20, accounts: 5, balance: 1000 })
    const entries = await journalOf(name)
    expect(result).toMatchObject({ kind: 'transaction', ok: 20, failed: 0, unknown: 0 })
    expect(result).toMatchObject({ documents: 60, modified: 40, inserted: 20, errors: [] })
    expect(result.transaction).toMatchObject({
      runner,
      maxAttempts: runner === 'managed' ? 100 : null,
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', wtimeoutMS: 10_000 },
      readPreference: { mode: 'primary' },
      attempts: 20,
      retries: 0,
      conflicts: 0,
      commits: 20,
      aborted: 0,
      unknownCommits: 0,
      latency: { firstTry: { count: 20 }, commit: { count: 20 }, aborted: null },
    })
    expect(result.steps.map((step) => [step.name, step.ok])).toEqual([
      ['take', 20],
      ['give', 20],
      ['entry', 20],
    ])
    expect(entries).toHaveLength(20)
    expect(await balancesOf(name)).toEqual(recomputed(entries, 5, 1000))
    const [whole, commit] = [result.latency.ok, result.transaction?.latency.commit]
    expect(whole?.meanMs).toBeGreaterThan(commit?.meanMs ?? Infinity)
  })

  test('that are aborted on purpose leave nothing, and are neither throughput nor errors', async () => {
    const name = nameFor('overdraft', runner)
    const result = await resultOf({ name, runner, operations: 30, balance: 5, amount: 10 })
    expect(result).toMatchObject({ ok: 0, failed: 0, unknown: 0, documents: 0, modified: 0, errors: [] })
    expect(result.transaction).toMatchObject({ attempts: 30, commits: 0, aborted: 30, aborts: { overdraft: 30 } })
    expect(result.transaction?.latency).toMatchObject({ firstTry: null, commit: null, aborted: { count: 30 } })
    expect(result.steps.map((step) => step.ok)).toEqual([30, 0, 0])
    expect(await journalOf(name)).toEqual([])
    expect(await balancesOf(name)).toEqual([5, 5])
  })

  test('of many workers on two accounts get into each other, and all end right', async () => {
    const name = nameFor('contended', runner)
    const result = await resultOf({ name, runner, operations: 60, workers: 4, balance: 100, amount: 7 })
    const { transaction, ok } = result
    const entries = await journalOf(name)
    const balances = await balancesOf(name)
    expect(transaction?.conflicts).toBeGreaterThan(0)
    expect(result).toMatchObject({ failed: 0, unknown: 0 })
    expect(transaction).toMatchObject({ commits: ok, aborted: 60 - ok, unknownCommits: 0 })
    expect(transaction?.attempts).toBe(60 + (transaction?.retries ?? 0))
    expect(entries).toHaveLength(ok)
    expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(200)
    expect(Math.min(...balances)).toBeGreaterThanOrEqual(0)
    expect(balances).toEqual(recomputed(entries, 2, 100))
  })

  test('are begun again after a conflict, whichever step met it', async () => {
    const name = nameFor('again', runner)
    await failCommand({ ...on('update', name), errorCode: 112, errorLabels: ['TransientTransactionError'] })
    const { ok, transaction } = await resultOf({ name, runner, operations: 3 })
    expect({ ok, transaction }).toMatchObject({
      ok: 3,
      transaction: { attempts: 4, retries: 1, conflicts: 1, commits: 3, latency: { firstTry: { count: 2 } } },
    })
    expect(await journalOf(name)).toHaveLength(3)
  })

  test('are not begun again after an error that would come again', async () => {
    const name = nameFor('failed', runner)
    await failCommand({ ...on('insert', name), errorCode: 8000 })
    const { ok, failed, errors, transaction } = await resultOf({ name, runner, operations: 3 })
    expect({ ok, failed, errors }).toMatchObject({ ok: 2, failed: 1, errors: [{ code: '8000', count: 1 }] })
    expect(transaction).toMatchObject({ attempts: 3, commits: 2, unknownCommits: 0 })
    expect(await journalOf(name)).toHaveLength(2)
    expect((await balancesOf(name)).reduce((sum, balance) => sum + balance, 0)).toBe(2000)
  })

  test('are committed once when the connection breaks at the commit', async () => {
    await failCommand({ failCommands: ['commitTransaction'], closeConnection: true })
    const name = nameFor('commit', runner)
    const { ok, unknown, transaction } = await resultOf({ name, runner, operations: 3 })
    expect({ ok, unknown }).toEqual({ ok: 3, unknown: 0 })
    expect(transaction).toMatchObject({ attempts: 3, commits: 3, commitRetries: runner === 'managed' ? 1 : 0 })
    const entries = await journalOf(name)
    expect(entries).toHaveLength(3)
    expect(await balancesOf(name)).toEqual(recomputed(entries, 2, 1000))
  })
})

test('transactions of several threads are counted as those of one', async () => {
  const name = 'threads'
  const result = await resultOf({ name, operations: 60, workers: 4, threads: 2, balance: 40, amount: 10 })
  const { ok, transaction } = result
  expect(transaction).toMatchObject({ commits: ok, aborted: 60 - ok, aborts: { overdraft: 60 - ok } })
  expect(60 - ok).toBeGreaterThan(0)
  expect(await journalOf(name)).toHaveLength(ok)
})

test('a transaction that hangs before its commit is ended by its deadline, and nothing of it is done', async () => {
  await failCommand({ ...on('insert', 'late'), blockConnection: true, blockTimeMS: 3000 }, 'alwaysOn')
  const result = await resultOf({ name: 'late', operations: 1, phase: { deadlineSeconds: 1 } })
  expect(result).toMatchObject({ ok: 0, failed: 1, unknown: 0, errors: [{ code: 'DeadlineExceeded' }] })
  expect(result.errors[0]?.message).toSay('transaction-deadline-before-commit', { seconds: 1 })
  expect(await journalOf('late')).toEqual([])
})

test('every session is ended, whatever becomes of its transaction', async () => {
  await resultOf({ name: 'sessions', operations: 50, workers: 4, balance: 30, amount: 10 })
  const active = (await server.client
    .db('admin')
    .aggregate([{ $currentOp: { idleSessions: true } }])
    .toArray()) as {
    readonly transaction?: object
  }[]
  expect(active.filter(({ transaction }) => transaction)).toEqual([])
})

describe('on a server that stands alone', () => {
  const alone = sharedServer()

  test('a run is refused before anything is called', async () =>
    await expect(run(transfers({ name: 'alone' }), { uri: alone.uri })).rejects.toSay('transaction-needs-set', {
      phase: 'pay',
    }))
})

test('reads of a transaction go to the primary and see their own writes, in one snapshot', async () => {
  const spec = {
    name: 'reads',
    target: { kind: 'existing', uriFrom: 'MONGO_PERF_URI' },
    data: { collection: 'items', rows: 10, document: { _id: { '@row': {} }, n: 1 } },
    phases: [
      {
        name: 'all',
        readPreference: { mode: 'secondaryPreferred' },
        stopAfter: { operations: 4 },
        operations: [
          {
            kind: 'transaction',
            name: 'whole',
            readConcern: { level: 'majority' },
            steps: [
              { kind: 'insertMany', name: 'more', documentsPerCall: 3, document: { n: 1, new: true } },
              { kind: 'countDocuments', name: 'count', filter: { new: true } },
              { kind: 'find', name: 'list', filter: { new: true } },
              { kind: 'aggregate', name: 'sum', pipeline: [{ $group: { _id: null, n: { $sum: '$n' } } }] },
              { kind: 'distinct', name: 'values', key: 'n' },
              {
                kind: 'bulkWrite',
                name: 'bulk',
                operations: [{ updateMany: { filter: { new: true }, update: { $set: { n: 2 } } } }],
              },
              { kind: 'replaceOne', name: 'replace', filter: { _id: 1 }, replacement: { n: 1 } },
              { kind: 'deleteMany', name: 'gone', filter: { new: true } },
              { kind: 'findOne', name: 'none', filter: { new: true } },
            ],
          },
        ],
      },
    ],
  } as SpecInput
  const { variants } = await run(spec, { uri: server.uri })
  const [whole] = variants[0]?.phases[0]?.operations ?? []
  expect(whole).toMatchObject({ ok: 4, failed: 0, errors: [] })
  const counts = Object.fromEntries((whole?.steps ?? []).map((step) => [step.name, step]))
  expect(counts).toMatchObject({
    more: { inserted: 12 },
    count: { matched: 12 },
    list: { documents: 12 },
    sum: { documents: 4 },
    values: { matched: 4 },
    gone: { deleted: 12 },
    none: { documents: 0 },
  })
  expect(await of('reads').collection('items').countDocuments()).toBe(10)
})
