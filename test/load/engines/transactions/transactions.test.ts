import { describe, expect, test } from 'vitest'
import type { PendingCall } from '../../../../src/load/engines/deadlines.ts'
import { runWithTransaction } from '../../../../src/load/engines/driver/sessions.ts'
import type { Outcome } from '../../../../src/load/engines/engine.ts'
import { toOutcome } from '../../../../src/load/engines/outcomes.ts'
import { TransactionAccount } from '../../../../src/load/engines/transactions/account.ts'
import {
  type TransactionRun,
  type TransactionSession,
  createBackOff,
  runManaged,
} from '../../../../src/load/engines/transactions/run-transaction.ts'
import { failedOutcome, okOutcome, unknownOutcome } from '../../../fakes/fake-calls.ts'
import { fakeClock } from '../../../fakes/fake-clock.ts'

type Thrown = Error & { readonly code?: number; readonly hasErrorLabel: (label: string) => boolean }

/** An error as drivers make it: of a class that is known by its name, with labels. */
const driverError = (name: string, code?: number, labels: readonly string[] = []): Thrown =>
  Object.assign(new Error(`${name} on purpose`), {
    name,
    ...(code !== undefined && { code }),
    hasErrorLabel: (label: string) => labels.includes(label),
  })

const transient = 'TransientTransactionError'
const unknownResult = 'UnknownTransactionCommitResult'
const conflict = driverError('MongoServerError', 112, [transient])
const unlabelled = driverError('MongoNetworkError')
const refusal = driverError('MongoServerError', 121)

/** What steps come to: ok, aborted for a reason, or an error. */
type Steps = 'ok' | { readonly aborted: string } | Error
/** What a commit comes to. */
type Commit = 'ok' | Error

type Script = {
  /** One for each attempt; the last stands for all that follow. */
  readonly steps?: readonly Steps[]
  readonly commits?: readonly Commit[]
  readonly maxAttempts?: number
  /** The deadline passes in this call, counted from 1. */
  readonly late?: { readonly at: string }
}

const stepOutcome = (steps: Steps): Outcome => {
  if (steps === 'ok') return { ...okOutcome({ documents: 3 }), steps: [] }
  return steps instanceof Error
    ? { ...toOutcome(steps), steps: [] }
    : { ...okOutcome(), kind: 'aborted', reason: steps.aborted }
}

const nth = <Item>(list: readonly Item[], n: number): Item => list[Math.min(n, list.length) - 1] as Item

/** A session that does what the script says, and what was asked of it. */
function scripted({ steps = ['ok'], commits = ['ok'], maxAttempts = 100, late }: Script) {
  const calls: string[] = []
  const clock = fakeClock()
  const pending: PendingCall = { abandoned: false }
  const counts = new Map<string, number>()
  const note = (what: string): number => {
    const n = (counts.get(what) ?? 0) + 1
    counts.set(what, n)
    calls.push(what)
    clock.advance(1)
    if (late?.at === `${what} ${n}`) pending.abandoned = true
    return n
  }
  const session: TransactionSession = {
    startTransaction: () => void note('start'),
    async commitTransaction() {
      const commit = nth(commits, note('commit'))
      if (commit !== 'ok') throw commit
    },
    abortTransaction: async () => void note('abort'),
  }
  /** What the driver does, as far as it matters here. */
  async function withTransaction(makeAttempt: () => Promise<void>): Promise<void> {
    for (;;) {
      note('start')
      try {
        await makeAttempt()
        if (calls.at(-1) === 'abort') return
      } catch (error) {
        note('abort')
        if ((error as Partial<Thrown>).hasErrorLabel?.(transient)) continue
        throw error
      }
      const commit = nth(commits, note('commit'))
      if (commit === 'ok') return
      if ((commit as Thrown).hasErrorLabel(transient)) continue
      throw commit
    }
  }
  const account = new TransactionAccount(clock)
  const run: TransactionRun = {
    session,
    account,
    pending,
    async makeSteps() {
      const came = nth(steps, note('steps'))
      return { outcome: stepOutcome(came), error: came }
    },
  }
  return { calls, account, run, withTransaction, maxAttempts, backOff: async () => void note('wait') }
}

async function managed(script: Script) {
  const { calls, account, run, maxAttempts, backOff } = scripted(script)
  const outcome = account.settle(await runManaged({ ...run, maxAttempts, backOff }))
  return { outcome, calls: calls.join(' ') }
}

const attempt = 'start steps'
const twice = 'commit wait '.repeat(2)

describe('our own runner', () => {
  test('commits what its steps did, and tells how long that took', async () =>
    expect(await managed({})).toEqual({
      calls: `${attempt} commit`,
      outcome: {
        ...okOutcome({ documents: 3 }),
        steps: [],
        transaction: { attempts: 1, conflicts: 0, commitRetries: 0, firstTryMs: 3, commitMs: 1 },
      },
    }))

  test.each<[string, Error, number]>([
    ['a conflict', conflict, 1],
    ['an error of the server with the label', driverError('MongoServerError', 251, [transient]), 0],
    ['a lost connection with the label', driverError('MongoNetworkError', undefined, [transient]), 0],
    ['a lost connection without a label', unlabelled, 0],
    ['a connection that did not answer', driverError('MongoNetworkTimeoutError'), 0],
    ['a pool that was cleared', driverError('MongoPoolClearedError'), 0],
    ['a connection that was cut with the pool', driverError('PoolClearedOnNetworkError'), 0],
    ['no primary', driverError('MongoServerSelectionError'), 0],
    [
      'a bulk write with one of these in it',
      Object.assign(driverError('MongoBulkWriteError'), {
        errorResponse: unlabelled,
        result: { getWriteErrors: () => [] },
      }),
      0,
    ],
  ])('begins again after %s', async (_, error, conflicts) => {
    const { outcome, calls } = await managed({ steps: [error, error, 'ok'] })
    expect(calls).toBe(`${attempt} abort wait ${attempt} abort wait ${attempt} commit`)
    expect(outcome).toMatchObject({ kind: 'ok', reply: { documents: 3 } })
    expect(outcome.transaction).toMatchObject({ attempts: 3, conflicts: conflicts * 2, firstTryMs: null, commitMs: 1 })
  })

  test('does not begin again after an error that would come again', async () => {
    const { outcome, calls } = await managed({ steps: [refusal] })
    expect(calls).toBe(`${attempt} abort`)
    expect(outcome).toMatchObject({ kind: 'failed', code: '121', transaction: { attempts: 1, commitMs: null } })
  })

  test('says failed of what was never committed, also where a call might have been done', async () => {
    const { outcome } = await managed({ steps: [driverError('MongoServerError', 50)] })
    expect(outcome).toMatchObject({ kind: 'failed', code: '50', reply: { documents: 0 } })
  })

  test('aborts on purpose, and waits for it', async () => {
    const { outcome, calls } = await managed({ steps: [conflict, { aborted: 'overdraft' }] })
    expect(calls).toBe(`${attempt} abort wait ${attempt} abort`)
    expect(outcome).toMatchObject({ kind: 'aborted', reason: 'overdraft', reply: { documents: 0 } })
    expect(outcome.transaction).toMatchObject({ attempts: 2, conflicts: 1, firstTryMs: null, commitMs: null })
  })

  test('has a budget of attempts', async () => {
    const { outcome, calls } = await managed({ steps: [conflict], maxAttempts: 2 })
    expect(calls).toBe(`${attempt} abort wait ${attempt} abort`)
    expect(outcome).toMatchObject({ kind: 'failed', code: '112', transaction: { attempts: 2, conflicts: 2 } })
  })

  test.each<[string, Error]>([
    ['the label of an unknown result', driverError('MongoServerError', 1, [unknownResult])],
    ['the label of a write that may be retried', driverError('MongoServerError', 10107, ['RetryableWriteError'])],
    ['a lost connection', unlabelled],
    ['a pool that was cleared', driverError('MongoPoolClearedError')],
    ['no primary', driverError('MongoServerSelectionError')],
    ['a write concern that was not met in time', driverError('MongoWriteConcernError', 64)],
    ['a server that steps down', driverError('MongoServerError', 11602)],
  ])('sends the same commit again after %s', async (_, error) => {
    const { outcome, calls } = await managed({ commits: [error, error, 'ok'] })
    expect(calls).toBe(`${attempt} ${twice}commit`)
    expect(outcome).toMatchObject({ kind: 'ok', transaction: { attempts: 1, commitRetries: 2, commitMs: 5 } })
  })

  test.each<[string, Error]>([
    ['a refusal without a label', refusal],
    ['a write concern that no waiting meets', driverError('MongoWriteConcernError', 100, [unknownResult])],
    ['a mode that the set does not know', driverError('MongoWriteConcernError', 79)],
  ])('leaves a commit unknown after %s, and never begins again', async (_, error) => {
    const { outcome, calls } = await managed({ commits: [error] })
    expect(calls).toBe(`${attempt} commit`)
    expect(outcome).toMatchObject({ kind: 'unknown', reply: { documents: 0 }, transaction: { attempts: 1 } })
  })

  test('begins again when the server says that there is nothing to commit, also of a commit sent again', async () => {
    const gone = driverError('MongoServerError', 251, [transient])
    const { outcome, calls } = await managed({ commits: [unlabelled, gone, 'ok'] })
    expect(calls).toBe(`${attempt} ${twice}${attempt} commit`)
    expect(outcome).toMatchObject({ kind: 'ok', transaction: { attempts: 2, commitRetries: 1, commitMs: 1 } })
  })

  test('takes no word of a lost connection for what became of a commit, whatever its label', async () => {
    const { outcome, calls } = await managed({
      commits: [driverError('MongoNetworkError', undefined, [transient])],
      late: { at: 'commit 3' },
    })
    expect(calls).toBe(`${attempt} ${twice}commit`)
    expect(outcome).toMatchObject({ kind: 'unknown', transaction: { attempts: 1, commitRetries: 2 } })
  })

  test('counts a conflict that shows at the commit', async () => {
    const { outcome } = await managed({ commits: [conflict, 'ok'] })
    expect(outcome).toMatchObject({ kind: 'ok', transaction: { attempts: 2, conflicts: 1 } })
  })

  test.each<[string, Script, string, Outcome['kind']]>([
    ['in its steps', { late: { at: 'steps 1' } }, `${attempt} abort`, 'failed'],
    ['in steps that fail', { steps: [conflict], late: { at: 'steps 1' } }, `${attempt} abort`, 'failed'],
    ['while it waits', { steps: [conflict], late: { at: 'wait 1' } }, `${attempt} abort wait`, 'failed'],
    ['at its commit', { commits: [unlabelled], late: { at: 'commit 1' } }, `${attempt} commit`, 'unknown'],
    ['before it commits again', { commits: [unlabelled], late: { at: 'wait 1' } }, `${attempt} commit wait`, 'unknown'],
    ['at a commit that succeeds', { late: { at: 'commit 1' } }, `${attempt} commit`, 'ok'],
  ])('does nothing more when its deadline passes %s', async (_, script, expected, kind) => {
    const { outcome, calls } = await managed(script)
    expect(calls).toBe(expected)
    expect(outcome.kind).toBe(kind)
  })
})

describe('the runner of the driver', () => {
  async function driven(script: Script) {
    const { calls, account, run, withTransaction } = scripted(script)
    const outcome = account.settle(await runWithTransaction(run, withTransaction))
    return { outcome, calls: calls.join(' ') }
  }

  test('is told of what went wrong, and decides', async () => {
    const { outcome, calls } = await driven({ steps: [conflict, 'ok'] })
    expect(calls).toBe(`${attempt} abort ${attempt} commit`)
    expect(outcome).toMatchObject({ kind: 'ok', reply: { documents: 3 } })
    expect(outcome.transaction).toMatchObject({ attempts: 2, conflicts: 1, firstTryMs: null, commitMs: 1 })
  })

  test('fails where it does not begin again', async () => {
    const { outcome } = await driven({ steps: [unlabelled] })
    expect(outcome).toMatchObject({ kind: 'failed', code: 'MongoNetworkError', transaction: { attempts: 1 } })
  })

  test('aborts on purpose', async () => {
    const { outcome, calls } = await driven({ steps: [{ aborted: 'overdraft' }] })
    expect(calls).toBe(`${attempt} abort`)
    expect(outcome).toMatchObject({ kind: 'aborted', reason: 'overdraft', reply: { documents: 0 } })
  })

  test('leaves a commit unknown that it gives up', async () => {
    const { outcome } = await driven({ commits: [unlabelled] })
    expect(outcome).toMatchObject({ kind: 'unknown', transaction: { attempts: 1, commitMs: null } })
  })

  test.each<[string, Script]>([
    ['in its steps', { late: { at: 'steps 1' } }],
    ['before it is begun again', { steps: [conflict], late: { at: 'abort 1' } }],
  ])('does not begin or commit when its deadline has passed %s', async (_, script) => {
    const { outcome, calls } = await driven(script)
    expect(calls).not.toContain('commit')
    expect(outcome.kind).toBe('failed')
  })
})

const accountAt = (...done: ('begin' | 'commit' | 'markLost')[]): TransactionAccount => {
  const account = new TransactionAccount(fakeClock())
  for (const what of done) {
    if (what === 'begin') account.beginAttempt()
    else if (what === 'commit') account.sendCommit()
    else account.loseAttempt(failedOutcome('112', 'WriteConflict'))
  }
  return account
}

test.each<[string, TransactionAccount, Outcome['kind'], number]>([
  ['before its commit', accountAt('begin'), 'failed', 1],
  ['while its commit is under way', accountAt('begin', 'commit'), 'unknown', 1],
  ['after the server had nothing to commit', accountAt('begin', 'commit', 'markLost'), 'failed', 1],
  ['in a later attempt', accountAt('begin', 'commit', 'markLost', 'begin'), 'failed', 2],
])('a transaction that is given up at its deadline %s', (_, account, kind, attempts) => {
  const outcome = account.giveUp(unknownOutcome())
  expect(outcome).toMatchObject({ kind, code: 'DeadlineExceeded', transaction: { attempts } })
})

test('who has failed waits for a random time, which grows up to half a second', async () => {
  const clock = fakeClock()
  const waitsOf = async (failures: number): Promise<number> => {
    const beganMs = clock.now()
    await createBackOff(clock, () => 1)(failures)
    return clock.now() - beganMs
  }
  expect(await waitsOf(1)).toBe(7.5)
  expect(await waitsOf(2)).toBe(11.25)
  expect(await waitsOf(50)).toBe(500)
  await createBackOff(clock, () => 0)(50)
  expect(await waitsOf(1)).toBe(7.5)
})
